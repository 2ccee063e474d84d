import vocabularyPath from "../../../providers/builtin/wordpiece/vocabulary.txt" with { type: "file" };
import { isFunctionWord } from "../../../src/text/analysis/language.ts";
import { products } from "./products.ts";
import type { TokenVectors } from "./token-model.ts";

/** For each token of the question, its largest cosine with a token of the passage. */
export interface Matches {
  /** Compared with all tokens of the passage. */
  all: Float32Array;
  /** Compared with its words alone: no [CLS], [SEP] and punctuation. */
  words: Float32Array;
}

const words = (await Bun.file(vocabularyPath).text()).split("\n");
const isWord = words.map((word) => /[\p{L}\p{N}]/u.test(word) && !/^\[.+\]$/.test(word));
const isContent = words.map((word, piece) => isWord[piece] === true && !isFunctionWord(word, ["english"]));

/** @returns -1 where the passage has no such token */
export const match = (question: TokenVectors, passage: TokenVectors): Matches => {
  const count = question.pieces.length;
  const matches = { all: new Float32Array(count).fill(-1), words: new Float32Array(count).fill(-1) };
  const dots = products(question.vectors, passage.vectors);
  for (const [token, piece] of passage.pieces.entries()) {
    const saysWord = isWord[piece] === true;
    for (let term = 0; term < count; term++) {
      const cosine = (dots[term * passage.pieces.length + token] as number) / (127 * 127);
      if (cosine > (matches.all[term] as number)) matches.all[term] = cosine;
      if (saysWord && cosine > (matches.words[term] as number)) matches.words[term] = cosine;
    }
  }
  return matches;
};

/** Ways to add up the matches of a question's tokens. */
export const sums = ["all", "words", "content", "idf"] as const;
export type Sum = (typeof sums)[number];

/** Rarity of wordpieces among the texts of a collection. */
export const rarityIn = (texts: readonly TokenVectors[]): ((piece: number) => number) => {
  const counts = new Map<number, number>();
  for (const { pieces } of texts) for (const piece of new Set(pieces)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return (piece) => {
    const count = counts.get(piece) ?? 0;
    return Math.log(1 + (texts.length - count + 0.5) / (count + 0.5));
  };
};

/**
 * MaxSim: the mean of the tokens' matches. `all`: of all tokens, with all. `words`: of words, with words. `content`: the
 * same without English function words. `idf`: of words, each weighted by its rarity.
 */
export const maxSim = (sum: Sum, pieces: Int32Array, matches: Matches, rarity: (piece: number) => number): number => {
  const weightOf = (piece: number): number => {
    if (sum === "all") return 1;
    if (sum === "content") return isContent[piece] === true ? 1 : 0;
    if (isWord[piece] !== true) return 0;
    return sum === "idf" ? rarity(piece) : 1;
  };
  const found = sum === "all" ? matches.all : matches.words;
  let score = 0;
  let total = 0;
  for (const [term, piece] of pieces.entries()) {
    const weight = weightOf(piece);
    score += weight * (found[term] ?? 0);
    total += weight;
  }
  return total === 0 ? 0 : score / total;
};
