import { readFileSync } from "node:fs";
import path from "./frequencies.bin" with { type: "file" };

/**
 * How often terms occur in running text, as tools/word-frequency writes it. Terms are not kept, but hashes of 32 bits: one
 * of 3,000 unknown terms is taken for another.
 */
interface FrequencyTable {
  /** For the first 16 bits of a hash, where its entries start; one number more than there are such beginnings. */
  starts: Uint32Array;
  /** The last 16 bits of each hash, ascending within a beginning. */
  rests: Uint16Array;
  /** −10 · log10 of each term's share of running text, rounded. */
  decibels: Uint8Array;
}

const beginnings = 65_536;
const layout = { signature: "CRLWORDS", version: 1, name: "table of word frequencies" };

const hashOf = (term: string): number => Bun.hash.xxHash32(term);

/** @param shares of running text, 0 to 1, by term */
export const writeFrequencyTable = (shares: ReadonlyMap<string, number>): Uint8Array => {
  const decibelsOf = new Map<number, number>();
  for (const [term, share] of shares) {
    const hash = hashOf(term);
    // Of two terms with one hash the more frequent stays.
    decibelsOf.set(hash, Math.min(decibelsOf.get(hash) ?? 255, Math.round(-10 * Math.log10(share))));
  }
  const hashes = Uint32Array.from(decibelsOf.keys()).sort();
  const starts = new Uint32Array(beginnings + 1);
  for (const hash of hashes) starts[(hash >>> 16) + 1] = (starts[(hash >>> 16) + 1] ?? 0) + 1;
  for (let at = 0; at < beginnings; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
  const rests = Uint16Array.from(hashes, (hash) => hash & 0xffff);
  const decibels = Uint8Array.from(hashes, (hash) => decibelsOf.get(hash) ?? 0);
  return writeTableFile(layout, hashes.length, [starts, rests, decibels]);
};

/** @throws Error if the file is not a complete table of the known layout */
export const readFrequencyTable = (file: Uint8Array): FrequencyTable => {
  const { entries, content } = readTableFile(file, layout);
  const lengths = [4 * (beginnings + 1), 2 * entries, entries];
  if (content.length !== lengths.reduce((sum, length) => sum + length, 0))
    throw new Error(`the built-in ${layout.name} is incomplete`);
  const { buffer, byteOffset: startsAt } = content;
  const restsAt = startsAt + 4 * (beginnings + 1);
  return {
    starts: new Uint32Array(buffer, startsAt, beginnings + 1),
    rests: new Uint16Array(buffer, restsAt, entries),
    decibels: new Uint8Array(buffer, restsAt + 2 * entries, entries),
  };
};

/** The term's share of running text, 0 to 1; null: the table does not have it. */
export const shareIn = ({ starts, rests, decibels }: FrequencyTable, term: string): number | null => {
  const hash = hashOf(term);
  const rest = hash & 0xffff;
  const end = starts[(hash >>> 16) + 1] ?? 0;
  for (let at = starts[hash >>> 16] ?? 0; at < end; at++)
    if (rests[at] === rest) return 10 ** (-(decibels[at] ?? 0) / 10);
  return null;
};

/** The lists end at one word in a million; what they do not have is a name, a typing error or a term of a trade. */
export const unlistedShare = 1e-7;

/** Scripts of the lists. Those written without spaces are searched by pairs of characters, which no list has. */
const listedScript =
  /^~?[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u;
/** A number is as rare as it is among the documents, and two Vietnamese syllables as one term are not listed. */
const unlisted = /[\p{N}_]/u;

let table: FrequencyTable | null = null;

/** 4.7 MB, read with the first question (3 ms), so that an idle server does not hold them. */
const loadedTable = (): FrequencyTable => {
  table ??= readFrequencyTable(readFileSync(path));
  return table;
};

/**
 * The share that a term of the full-text index has of running text in its language, 0 to 1; the highest where several
 * languages have it. Null where no list tells: numbers, pairs of characters, scripts without a list.
 */
export const termShare = (term: string): number | null =>
  listedScript.test(term) && !unlisted.test(term) ? (shareIn(loadedTable(), term) ?? unlistedShare) : null;

/** The same of a whole Chinese, Japanese or Korean word, folded; null where the lists do not have it. */
export const unspacedWordShare = (word: string): number | null => shareIn(loadedTable(), word);

/** What a built-in table of numbers begins with: eight letters that name it, the version of its layout, its entries. */
interface Layout {
  signature: string;
  version: number;
  /** As errors name it. */
  name: string;
}

const headerBytes = 16;

/** The parts that hold the entries follow the header in their order. */
export const writeTableFile = (
  { signature, version }: Layout,
  entries: number,
  parts: readonly (Uint8Array | Uint16Array | Uint32Array)[],
): Uint8Array => {
  const header = Buffer.alloc(headerBytes);
  header.write(signature, "latin1");
  header.writeUInt32LE(version, 8);
  header.writeUInt32LE(entries, 12);
  const bytes = parts.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  return Buffer.concat([header, ...bytes]);
};

/** @throws Error if the file is not a table of the layout @returns how many entries it states, and what follows the header */
export const readTableFile = (
  file: Uint8Array,
  { signature, version, name }: Layout,
): { entries: number; content: Buffer<ArrayBufferLike> } => {
  // Arrays of numbers want to begin at a multiple of their size, which a slice of a pooled buffer need not do.
  const { buffer, byteOffset, byteLength } = file.byteOffset % 4 === 0 ? file : new Uint8Array(file);
  const view = Buffer.from(buffer, byteOffset, byteLength);
  if (view.length < headerBytes || view.toString("latin1", 0, 8) !== signature || view.readUInt32LE(8) !== version)
    throw new Error(`the built-in ${name} is damaged or of an unknown layout`);
  return { entries: view.readUInt32LE(12), content: view.subarray(headerBytes) };
};

/** The first place of a value in an ascending list, or where it would be. */
export const firstPlaceOf = (values: Uint32Array, wanted: number): number => {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};
