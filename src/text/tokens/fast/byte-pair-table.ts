/**
 * Skip on a first reading: the tokens of a byte-pair encoding in three flat arrays with an open-addressed hash, about 5 MB
 * for o200k_base. A map of strings takes 70 MB.
 */

/** Ranks of tokens by their bytes. */
export interface BytePairTable {
  /** Length of the longest token in bytes. */
  readonly longest: number;
  /** @returns the rank of the token that is exactly these bytes, or -1 */
  rankOf(bytes: Uint8Array, start: number, end: number): number;
}

const digitValues = (() => {
  const values = new Int8Array(128).fill(-1);
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value;
  return values;
})();

const newline = 10;
const space = 32;
const equals = 61;

/** FNV-1a, 32 bits (Fowler, Noll, Vo). */
const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
};

/**
 * Reads a rank file as published with tiktoken: a line for each token, its bytes in base64, a space, its rank; ranks
 * count up from 0.
 * @throws Error where the file is not of that form
 */
export const readBytePairTable = (file: Uint8Array): BytePairTable => {
  const { bytes, offsets, count, longest } = decodeTokens(file);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(count * 2)));
  const mask = slots.length - 1;
  for (let rank = 0; rank < count; rank++) {
    let slot = hashOf(bytes, offsets[rank] as number, offsets[rank + 1] as number) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = rank + 1;
  }

  const isToken = (rank: number, piece: Uint8Array, start: number, end: number): boolean => {
    const from = offsets[rank] as number;
    if ((offsets[rank + 1] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (piece[at] !== bytes[from + at - start]) return false;
    return true;
  };

  return {
    longest,
    rankOf(piece, start, end) {
      if (end - start > longest) return -1;
      for (let slot = hashOf(piece, start, end) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const rank = (slots[slot] as number) - 1;
        if (isToken(rank, piece, start, end)) return rank;
      }
      return -1;
    },
  };
};

const decodeTokens = (
  file: Uint8Array,
): { bytes: Uint8Array; offsets: Uint32Array; count: number; longest: number } => {
  let lines = 0;
  for (let at = file.indexOf(newline); at >= 0; at = file.indexOf(newline, at + 1)) lines++;
  const bytes = new Uint8Array(file.length);
  const offsets = new Uint32Array(lines + 2);
  let count = 0;
  let longest = 0;
  let written = 0;
  for (let at = 0; at < file.length; at++) {
    let bits = 0;
    let pending = 0;
    for (; at < file.length && file[at] !== space; at++) {
      const value = digitValues[file[at] as number] ?? -1;
      if (value < 0 && file[at] !== equals) throw new Error("the token table is damaged: not base64");
      if (value < 0) continue;
      bits = (bits << 6) | value;
      pending += 6;
      if (pending < 8) continue;
      pending -= 8;
      bytes[written++] = (bits >>> pending) & 255;
    }
    let rank = 0;
    for (at++; at < file.length && file[at] !== newline; at++) rank = rank * 10 + (file[at] as number) - 48;
    if (rank !== count) throw new Error("the token table is damaged: ranks do not count up");
    longest = Math.max(longest, written - (offsets[count] as number));
    offsets[++count] = written;
  }
  return { bytes: bytes.slice(0, written), offsets, count, longest };
};
