import { createWordTable, hashStart, hashStep, type WordTable } from "./word-table.ts";

/** The wordpieces of all-MiniLM-L6-v2 (BERT uncased). */
export interface Vocabulary {
  size: number;
  /** Pieces that begin a word. */
  initial: WordTable;
  /** Pieces that continue a word, without their `##`. */
  continuing: WordTable;
  /** UTF-16 units of the longest piece. */
  longest: number;
  unknown: number;
  /** Special tokens by their text, which the original recognizes in any text: `[CLS]`, `[SEP]` and so on. */
  special: ReadonlyMap<string, number>;
}

const specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const hash = 0x23;
const lineFeed = 0x0a;

/**
 * Reads a vocabulary: one piece a line, the line number is the piece's id.
 * @throws Error if a special token is missing
 */
export const readVocabulary = (lines: string): Vocabulary => {
  const units = new Uint16Array(lines.length);
  let size = 1;
  for (let index = 0; index < lines.length; index += 1) {
    const unit = lines.charCodeAt(index);
    units[index] = unit;
    if (unit === lineFeed) size += 1;
  }
  const initial = createWordTable(size, units.length);
  const continuing = createWordTable(size, units.length);
  let longest = 0;
  let id = 0;
  for (let from = 0; from <= units.length; id += 1) {
    let end = units.indexOf(lineFeed, from);
    if (end < 0) end = units.length;
    const continues = end - from > 2 && units[from] === hash && units[from + 1] === hash;
    const start = continues ? from + 2 : from;
    let code = hashStart;
    for (let index = start; index < end; index += 1) code = hashStep(code, units[index] as number);
    (continues ? continuing : initial).add(units, start, end, code, id);
    longest = Math.max(longest, end - start);
    from = end + 1;
  }
  const special = new Map(specials.map((token) => [token, specialId(initial, token)]));
  return { size, initial, continuing, longest, unknown: special.get("[UNK]") as number, special };
};

const specialId = (table: WordTable, token: string): number => {
  const units = Uint16Array.from(token, (character) => character.charCodeAt(0));
  const id = table.find(units, 0, units.length, units.reduce(hashStep, hashStart));
  if (id < 0) throw new Error(`the vocabulary has no ${token}`);
  return id;
};
