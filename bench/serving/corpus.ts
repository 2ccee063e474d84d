import { readFileSync } from "node:fs";
import { join } from "node:path";

/** An English article: its words, drawn as often as they stand there, make text like a user's. */
const article = join(import.meta.dir, "../../test/fixtures/documents/norwich-city.txt");
/** Parts of the rare words that every real collection has: names, products, codes. */
const syllables =
  "an be con dis el for gra hol in jus ket lo men nor op per qui res sta tion un ver wil xy yel zo".split(" ");
const rareShare = 0.08;

export interface Corpus {
  /** About `characters` of sentences and paragraphs under a few headings. */
  document(characters: number): string;
  /** A question of some words that the documents hold. */
  question(): string;
}

/** Text that is the same on every machine, out of a seeded generator. */
export const createCorpus = (seed: number): Corpus => {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const words = readFileSync(article, "utf8").match(/\p{L}+/gu) ?? [];
  const rareWords = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(syllables)).join(""),
  );
  const word = (): string => (random() < rareShare ? pick(rareWords) : pick(words));
  const sentence = (): string => {
    const text = Array.from({ length: 6 + Math.floor(random() * 14) }, word).join(" ");
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
  return {
    document(characters) {
      let text = `# ${sentence()}\n\n`;
      while (text.length < characters) text += random() < 0.1 ? `\n\n## ${sentence()}\n\n` : `${sentence()} `;
      return text.slice(0, characters);
    },
    question: () => `What of ${word()} ${word()} and ${pick(rareWords)}?`,
  };
};
