/**
 * Skip on a first reading: counts tokens by byte-pair merging in flat arrays, without allocating anything per token.
 * gpt-tokenizer counts the same plainly and takes two to four times the CPU time, 74 MB more memory and half a second to
 * load (docs/decisions/text.md); tests hold the two together.
 */
import { createWordCache } from "../../words/word-cache.ts";
import type { BytePairTable } from "./byte-pair-table.ts";

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
