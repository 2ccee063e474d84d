import { passagesOf } from "../answers/quote/passages.ts";
import { createBreather } from "../async/breathe.ts";
import { analyze, analyzeQuery } from "../text/analysis/analyze.ts";
import { scanText } from "../text/analysis/document-terms.ts";
import { fold } from "../text/analysis/fold.ts";
import { isFunctionWord } from "../text/analysis/language.ts";
import { createRandom } from "./random.ts";

/**
 * The questions that people ask: their number of content words, and the part of those words that the answering text does
 * not contain. Both are quantiles (5, 10 … 95 %) over the questions of six collections in five languages (code, abstracts,
 * encyclopedia), which differ little. With them the threshold refuses 1 to 5 of 100 real questions of each of those
 * collections where 5 were allowed (`bench/quality/calibration.ts`).
 */
const questionWords = [3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 9, 9, 11] as const;
const missingShares = [
  0, 0, 0, 0.1, 0.15, 0.18, 0.22, 0.25, 0.28, 0.32, 0.35, 0.38, 0.42, 0.46, 0.5, 0.55, 0.6, 0.66, 0.75,
] as const;

/**
 * In scripts without spaces, people's questions are longer than this by so much: their rarities sum to 1.6 times those of
 * made ones (XQuAD, Chinese), because particles are no words of their own there.
 */
const denseFactor = 1.6;

/** Words of other documents in one question. */
const maxForeignWords = 12;
/** A passage with fewer content words is joined with the next ones; after that, one with too few is left out. */
const minWordsBeforeJoining = 12;
const maxJoinedPassages = 4;
const minWords = 4;
/** Passages of one document that are used, and characters that are split at a time. */
const maxPassages = 1_000;
const pieceCharacters = 20_000;

export interface LikelyQuestion {
  /** Id of the document it was made from. */
  document: string;
  text: string;
}

interface Word {
  /** Of a script written without spaces. */
  dense: boolean;
  text: string;
}

const denseLetter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** The words of a text without function words. */
const contentWords = (text: string): Word[] => {
  const { languages } = scanText(text);
  const words: Word[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true || !/[\p{L}\p{N}]/u.test(segment)) continue;
    if (isFunctionWord(fold(segment), languages.length === 0 ? ["english"] : languages)) continue;
    words.push({ dense: denseLetter.test(segment), text: segment });
  }
  return words;
};

interface PreparedDocument {
  id: string;
  /** Content words of each passage that a question can be made from. */
  passages: Word[][];
  terms: ReadonlySet<string>;
}

const prepare = ({ id, text }: { id: string; text: string }): PreparedDocument => {
  const passages: Word[][] = [];
  for (let from = 0; from < text.length && passages.length < maxPassages; from += pieceCharacters)
    passages.push(...wordsOfPassages(text.slice(from, from + pieceCharacters)));
  return { id, passages: passages.slice(0, maxPassages), terms: new Set(analyze(text)) };
};

/** For each sentence and list item: its content words, joined with those of the next ones if there are few. */
const wordsOfPassages = (text: string): Word[][] => {
  const found = passagesOf(text)
    .filter(({ kind }) => kind === "sentence" || kind === "item")
    .map((passage) => contentWords(passage.text));
  return found.flatMap((_, index) => {
    const words: Word[] = [];
    for (const next of found.slice(index, index + maxJoinedPassages)) {
      if (words.length >= minWordsBeforeJoining) break;
      words.push(...next);
    }
    return words.length >= minWords ? [words] : [];
  });
};

/**
 * Makes questions that the documents answer: some words of a passage in their order, and words of other documents that
 * this one does not contain, because people use words of their own. The same documents give the same questions. Other
 * work runs in between.
 * @param count questions wanted from each document; fewer come from one that has few passages
 * @throws the signal's reason
 */
export const likelyQuestions = async (
  documents: readonly { id: string; text: string }[],
  count: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<LikelyQuestion[]> => {
  const breathe = createBreather(signal);
  const random = createRandom(documents.length);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const prepared: PreparedDocument[] = [];
  for (const document of documents) {
    await breathe();
    const one = prepare(document);
    if (one.passages.length > 0) prepared.push(one);
  }
  const foreignWord = (terms: ReadonlySet<string>): Word | null => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const word = pick(pick(pick(prepared)?.passages ?? []) ?? []);
      if (word !== undefined && !analyze(word.text).some((term) => terms.has(term))) return word;
    }
    return null;
  };
  const questions: LikelyQuestion[] = [];
  for (const { id, passages, terms } of prepared) {
    const left = [...passages];
    for (let made = 0; made < count && left.length > 0; made++) {
      await breathe();
      const [words = []] = left.splice(Math.floor(random() * left.length), 1);
      const missing = pick(missingShares) ?? 0;
      const wanted = (pick(questionWords) ?? 5) * (words[0]?.dense === true ? denseFactor : 1);
      const length = Math.max(1, Math.round(wanted * (1 - missing)));
      const chosen = someOf(words, length, random);
      for (let added = 0; added < maxForeignWords && !isMissing(written(chosen), terms, missing); added++) {
        const word = foreignWord(terms);
        if (word !== null) chosen.splice(Math.floor(random() * (chosen.length + 1)), 0, word);
      }
      questions.push({ document: id, text: written(chosen) });
    }
  }
  return questions;
};

/** Whether about this part of the question's words, by the analysis of the search, is missing in the document. */
const isMissing = (question: string, terms: ReadonlySet<string>, share: number): boolean => {
  const words = new Map<number, boolean>();
  for (const { term, word } of analyzeQuery(question).terms)
    words.set(word, (words.get(word) ?? false) || terms.has(term));
  const missing = [...words.values()].filter((isHeld) => !isHeld).length;
  // Another missing word would not come closer to the share.
  return missing >= share * words.size - (1 - share) / 2;
};

/** This many of the words, close to each other and in their order. */
const someOf = (words: readonly Word[], count: number, random: () => number): Word[] => {
  const window = Math.min(words.length, words[0]?.dense ? count : Math.ceil(count * 1.5) + 1);
  const first = Math.floor(random() * (words.length - window + 1));
  const near = words.slice(first, first + window);
  while (near.length > count) near.splice(Math.floor(random() * near.length), 1);
  return near;
};

/** The words as a text: with spaces, except within scripts without spaces. */
const written = (words: readonly Word[]): string =>
  words.reduce((text, word, index) => {
    const before = words[index - 1];
    return before === undefined || (before.dense && word.dense) ? text + word.text : `${text} ${word.text}`;
  }, "");
