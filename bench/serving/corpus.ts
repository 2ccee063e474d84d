/** Text that is the same on every machine: words by Zipf's law out of a seeded generator. */
const syllables =
  "an be con dis el for gra hol in jus ket lo men nor op per qui res sta tion un ver wil xy yel zo".split(" ");

export interface Corpus {
  /** About `characters` of sentences and paragraphs under a few headings. */
  document(characters: number): string;
  /** A question of some words that the documents hold. */
  question(): string;
}

export const createCorpus = (seed: number): Corpus => {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const words = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(syllables)).join(""),
  );
  const word = (): string => words[Math.floor(words.length ** random()) - 1] ?? "an";
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
    question: () => `What of ${word()} ${word()} and ${words[Math.floor(random() * words.length)]}?`,
  };
};
