/**
 * A hash table from words to numbers. Words are looked up as spans of a buffer of UTF-16 units, with a hash that the
 * caller has made while it filled the buffer: no string is made for a lookup.
 */

/** Start value of a word's hash. */
export const hashStart = 0x811c9dc5 | 0;

/** FNV-1a (Fowler, Noll, Vo), a UTF-16 unit at a time. */
export const hashStep = (hash: number, unit: number): number => {
  return Math.imul(hash ^ unit, 0x01000193);
};

export interface WordTable {
  /** The number kept for the word in `buffer[start, end)`, or -1. */
  find(buffer: Uint16Array, start: number, end: number, hash: number): number;
  /** Keeps a word that is not in the table yet. False if there is no room. `value` is 0 or more. */
  add(buffer: Uint16Array, start: number, end: number, hash: number, value: number): boolean;
  clear(): void;
}

/** A table with room for `words` words of `units` UTF-16 units together; it never grows. */
export const createWordTable = (words: number, units: number): WordTable => {
  // At most half full, so that a search is short.
  const slotCount = 2 ** Math.ceil(Math.log2(words * 2));
  const slots = new Int32Array(slotCount);
  const hashes = new Int32Array(words);
  const values = new Int32Array(words);
  const ends = new Int32Array(words + 1);
  const text = new Uint16Array(units);
  let size = 0;

  const firstSlot = (hash: number) => (hash ^ (hash >>> 15)) & (slotCount - 1);

  const holds = (index: number, buffer: Uint16Array, start: number, end: number): boolean => {
    const from = ends[index] as number;
    if ((ends[index + 1] as number) - from !== end - start) return false;
    for (let offset = 0; offset < end - start; offset += 1) {
      if (text[from + offset] !== buffer[start + offset]) return false;
    }
    return true;
  };

  const find = (buffer: Uint16Array, start: number, end: number, hash: number): number => {
    for (let slot = firstSlot(hash); ; slot = (slot + 1) & (slotCount - 1)) {
      const index = (slots[slot] as number) - 1;
      if (index < 0) return -1;
      if (hashes[index] === hash && holds(index, buffer, start, end)) return values[index] as number;
    }
  };

  const add = (buffer: Uint16Array, start: number, end: number, hash: number, value: number): boolean => {
    const from = ends[size] as number;
    if (size === words || from + end - start > units) return false;
    for (let offset = 0; offset < end - start; offset += 1) text[from + offset] = buffer[start + offset] as number;
    let slot = firstSlot(hash);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    hashes[size] = hash;
    values[size] = value;
    size += 1;
    slots[slot] = size;
    ends[size] = from + end - start;
    return true;
  };

  const clear = (): void => {
    slots.fill(0);
    size = 0;
  };

  return { find, add, clear };
};
