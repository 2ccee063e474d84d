/**
 * Groups of terms that are forms of one word, as tools/inflections writes them: `starb`, `sterb`, `gestorb`. A term may be in
 * several groups.
 */
export interface InflectionTable {
  /** Of each term in each group, ascending: hashes of the term with its language. */
  hashes: Uint32Array;
  /** Where the group of each hash begins in `groups`. */
  places: Uint32Array;
  /** UTF-8: a line for each group, its terms separated by spaces, the most frequent first. */
  groups: Buffer;
}

const headerBytes = 16;
const signature = "CRLFORMS";
const version = 1;
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
  const header = Buffer.alloc(headerBytes);
  header.write(signature, "latin1");
  header.writeUInt32LE(version, 8);
  header.writeUInt32LE(entries.length, 12);
  const numbers = [entries.map(({ hash }) => hash), entries.map((entry) => entry.place)];
  return Buffer.concat([
    header,
    ...numbers.map((values) => new Uint8Array(Uint32Array.from(values).buffer)),
    Buffer.from(lines.join("")),
  ]);
};

/** @throws Error if the file is not a complete table of the known layout */
export const readInflectionTable = (file: Uint8Array): InflectionTable => {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (view.length < headerBytes || view.toString("latin1", 0, 8) !== signature || view.readUInt32LE(8) !== version)
    throw new Error("the built-in table of inflections is damaged or of an unknown layout");
  const entries = view.readUInt32LE(12);
  const groupsAt = headerBytes + 8 * entries;
  if (view.length < groupsAt || (entries > 0 && view.at(-1) !== newLine))
    throw new Error("the built-in table of inflections is incomplete");
  // Arrays of numbers want to begin at a multiple of their size, which a slice of a pooled buffer need not do.
  const { buffer, byteOffset } = file.byteOffset % 4 === 0 ? file : new Uint8Array(file);
  const startsAt = byteOffset + headerBytes;
  return {
    hashes: new Uint32Array(buffer, startsAt, entries),
    places: new Uint32Array(buffer, startsAt + 4 * entries, entries),
    groups: view.subarray(groupsAt),
  };
};

/** The groups that a term of the language is in, each with the term itself; empty: it is in none. */
export const groupsIn = ({ hashes, places, groups }: InflectionTable, language: string, term: string): string[][] => {
  const hash = hashOf(language, term);
  const found: string[][] = [];
  for (let at = firstOf(hashes, hash); hashes[at] === hash; at++) {
    const start = places[at] ?? 0;
    const terms = groups.toString("utf8", start, groups.indexOf(newLine, start)).split(" ");
    // Another term may have the same hash.
    if (terms.includes(term)) found.push(terms);
  }
  return found;
};

/** The first place of a value in an ascending list, or where it would be. */
const firstOf = (values: Uint32Array, wanted: number): number => {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};
