import { readFileSync } from "node:fs";
import path from "./inflections.bin" with { type: "file" };
import { firstPlaceOf, readTableFile, writeTableFile } from "./word-frequency.ts";

/**
 * Groups of terms that are forms of one word, as tools/inflections writes them: `starb`, `sterb`, `gestorb`. A term may be in
 * several groups.
 */
interface InflectionTable {
  /** Of each term in each group, ascending: hashes of the term with its language. */
  hashes: Uint32Array;
  /** Where the group of each hash begins in `groups`. */
  places: Uint32Array;
  /** UTF-8: a line for each group, its terms separated by spaces, the most frequent first. */
  groups: Buffer;
}

const layout = { signature: "CRLFORMS", version: 1, name: "table of inflections" };
const newLine = 10;

const hashOf = (language: string, term: string): number => Bun.hash.xxHash32(`${language} ${term}`);

/** @param groups of each language, those that come first are the first that are found; no term contains white space */
export const writeInflectionTable = (groups: ReadonlyMap<string, readonly (readonly string[])[]>): Uint8Array => {
  const lines: string[] = [];
  const entries: { hash: number; place: number }[] = [];
  let place = 0;
  for (const [language, own] of groups)
    for (const terms of own) {
      for (const term of new Set(terms)) entries.push({ hash: hashOf(language, term), place });
      const line = `${terms.join(" ")}\n`;
      lines.push(line);
      place += Buffer.byteLength(line);
    }
  entries.sort((a, b) => a.hash - b.hash || a.place - b.place);
  const hashes = Uint32Array.from(entries, ({ hash }) => hash);
  const places = Uint32Array.from(entries, (entry) => entry.place);
  return writeTableFile(layout, entries.length, [hashes, places, Buffer.from(lines.join(""))]);
};

/** @throws Error if the file is not a complete table of the known layout */
export const readInflectionTable = (file: Uint8Array): InflectionTable => {
  const { entries, content } = readTableFile(file, layout);
  const groups = content.subarray(8 * entries);
  if (content.length < 8 * entries || (entries > 0 && groups.at(-1) !== newLine))
    throw new Error(`the built-in ${layout.name} is incomplete`);
  return {
    hashes: new Uint32Array(content.buffer, content.byteOffset, entries),
    places: new Uint32Array(content.buffer, content.byteOffset + 4 * entries, entries),
    groups,
  };
};

/** The groups that a term of the language is in, each with the term itself; empty: it is in none. */
export const groupsIn = ({ hashes, places, groups }: InflectionTable, language: string, term: string): string[][] => {
  const hash = hashOf(language, term);
  const found: string[][] = [];
  for (let at = firstPlaceOf(hashes, hash); hashes[at] === hash; at++) {
    const start = places[at] ?? 0;
    const terms = groups.toString("utf8", start, groups.indexOf(newLine, start)).split(" ");
    // Another term may have the same hash.
    if (terms.includes(term)) found.push(terms);
  }
  return found;
};

/** Each form is looked up in the index; more than four gained nothing (bench/quality/ranking.md). */
const maxForms = 4;

let table: InflectionTable | null = null;

/** Read with the first question, so that an idle server does not hold it. */
const loadedTable = (): InflectionTable => {
  table ??= readInflectionTable(readFileSync(path));
  return table;
};

/**
 * The terms of the full-text index under which other forms of a word stand, the most frequent first: those that its stemmer
 * does not bring together, as `sterb`, `gestorb` and `stirbt` for the German `starb`. At most four; none for a word that the
 * lists do not have, or of a language without a list.
 * @param term the word's stem, as the index has it
 */
export const inflectionsOf = (term: string, language: string): string[] => {
  const forms = groupsIn(loadedTable(), language, term).flat();
  return [...new Set(forms)].filter((form) => form !== term).slice(0, maxForms);
};
