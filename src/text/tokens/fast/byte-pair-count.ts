/**
 * Skip on a first reading: counts tokens by byte-pair merging in flat arrays, without allocating anything per token.
 * gpt-tokenizer counts the same plainly and takes two to four times the CPU time, 74 MB more memory and half a second to
 * load (docs/decisions/text.md); tests hold the two together.
 */

import { createWordCache } from "../../words/word-cache.ts";

/**
 * Skip on a first reading: the tokens of a byte-pair encoding in three flat arrays with an open-addressed hash, about 5 MB
 * for o200k_base. A map of strings takes 70 MB.
 */

/** Ranks of tokens by their bytes. */
interface BytePairTable {
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

/** Positions that a heap key has room for, and so the longest piece in bytes. */
const positions = 2 ** 20;

/** Number of tokens of the piece of text from `start` to `end`. */
export type CountPiece = (text: string, start: number, end: number) => number;

/**
 * Counts the tokens of pieces by byte-pair merging: the adjacent pair of lowest rank is merged, the leftmost first, until
 * no pair is a token. With a heap of candidate pairs that takes n log n in the piece's length; the plain way takes n².
 */
export const createPieceCounter = (table: BytePairTable): CountPiece => {
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(1024);
  /** By the start of a part: its end, the start of the part before it, and the rank of it merged with the next part. */
  let ends = new Int32Array(1024);
  let previous = new Int32Array(1024);
  let joined = new Int32Array(1024);
  /** Candidate pairs, smallest first: `rank * positions + start`. */
  let heap = new Float64Array(3072);
  let heapSize = 0;

  const grow = (length: number): void => {
    if (length <= bytes.length) return;
    bytes = new Uint8Array(length);
    ends = new Int32Array(length);
    previous = new Int32Array(length);
    joined = new Int32Array(length);
    heap = new Float64Array(length * 3);
  };

  const push = (key: number): void => {
    let at = heapSize++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((heap[parent] as number) <= key) break;
      heap[at] = heap[parent] as number;
      at = parent;
    }
    heap[at] = key;
  };

  const pop = (): number => {
    const smallest = heap[0] as number;
    const last = heap[--heapSize] as number;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heapSize) break;
      if (child + 1 < heapSize && (heap[child + 1] as number) < (heap[child] as number)) child++;
      if ((heap[child] as number) >= last) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = last;
    return smallest;
  };

  /** Adds the pair that begins at `start` to the candidates, if its two parts together are a token. */
  const consider = (start: number, length: number): void => {
    const next = ends[start] as number;
    const rank = next < length ? table.rankOf(bytes, start, ends[next] as number) : -1;
    joined[start] = rank;
    if (rank >= 0) push(rank * positions + start);
  };

  const merge = (length: number): number => {
    heapSize = 0;
    for (let at = 0; at < length; at++) {
      ends[at] = at + 1;
      previous[at] = at - 1;
    }
    for (let at = 0; at < length; at++) consider(at, length);
    let parts = length;
    while (heapSize > 0) {
      const key = pop();
      const start = key % positions;
      // A candidate is stale once either of its parts was merged with another.
      if (joined[start] !== Math.floor(key / positions)) continue;
      const middle = ends[start] as number;
      const end = ends[middle] as number;
      ends[start] = end;
      joined[middle] = -1;
      if (end < length) previous[end] = start;
      parts--;
      consider(start, length);
      if ((previous[start] as number) >= 0) consider(previous[start] as number, length);
    }
    return parts;
  };

  /** Counts of pieces that are more than one token. */
  const merged = createWordCache<number>(16_384);

  const mergeCached = (text: string, start: number, end: number, length: number): number => {
    const known = merged.get(text, start, end);
    if (known !== undefined) return known;
    const parts = merge(length);
    merged.set(text, start, end, parts);
    return parts;
  };

  return (text, start, end) => {
    grow((end - start) * 3);
    let length = 0;
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= 128) {
        length = encoder.encodeInto(text.slice(start, end), bytes).written;
        break;
      }
      bytes[length++] = unit;
    }
    return table.rankOf(bytes, 0, length) >= 0 ? 1 : mergeCached(text, start, end, length);
  };
};
