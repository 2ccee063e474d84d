import { firstPlaceOf } from "../../text/first-place.ts";
import { readTableFile, writeTableFile } from "../../text/table-file.ts";

/**
 * How often the commonest words of each language occur in its running text. Unlike the table of `src/text/word-frequency`,
 * it keeps the languages apart. Words are not kept, but hashes of 32 bits; a word of several languages has several entries.
 */
export interface WordTable {
  /** Ascending. */
  hashes: Uint32Array;
  /** Index of the entry's language in the order of `listedLanguages`. */
  languages: Uint8Array;
  /** −50 · log10 of the word's share of the language's text, rounded. */
  rarities: Uint8Array;
}

export interface WordEntry {
  word: string;
  language: number;
  /** 0 to 255 */
  rarity: number;
}

const layout = { signature: "CRLQLANG", version: 1, name: "table of the languages' words" };

const hashOf = (word: string): number => Bun.hash.xxHash32(word);

export const writeWordTable = (entries: readonly WordEntry[]): Uint8Array => {
  const ordered = entries
    .map(({ word, language, rarity }) => ({ hash: hashOf(word), language, rarity }))
    .sort((one, other) => one.hash - other.hash || one.language - other.language);
  return writeTableFile(layout, ordered.length, [
    Uint32Array.from(ordered, ({ hash }) => hash),
    Uint8Array.from(ordered, ({ language }) => language),
    Uint8Array.from(ordered, ({ rarity }) => rarity),
  ]);
};

/** @throws Error if the file is not a complete table of the known layout */
export const readWordTable = (file: Uint8Array): WordTable => {
  const { entries, content } = readTableFile(file, layout);
  if (content.length !== 6 * entries) throw new Error(`the built-in ${layout.name} is incomplete`);
  const { buffer, byteOffset } = content;
  return {
    hashes: new Uint32Array(buffer, byteOffset, entries),
    languages: new Uint8Array(buffer, byteOffset + 4 * entries, entries),
    rarities: new Uint8Array(buffer, byteOffset + 5 * entries, entries),
  };
};

/** Calls `see` for each language that has the word. */
export const eachLanguageOf = (
  { hashes, languages, rarities }: WordTable,
  word: string,
  see: (language: number, rarity: number) => void,
): void => {
  const hash = hashOf(word);
  for (let at = firstPlaceOf(hashes, hash); hashes[at] === hash; at++) see(languages[at] ?? 0, rarities[at] ?? 255);
};
