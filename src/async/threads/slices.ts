/**
 * What a thread is working on, in memory that another thread can read while the first one computes without a pause.
 * A slice is the work between two pauses; in a pause the thread receives messages.
 */
export interface Slices {
  /** A slice for this request begins. */
  begin(id: number): void;
  /** No work is done until the next one begins. */
  end(): void;
}

const count = 0;
const current = 1;

/** Memory for `slicesIn` and `readSlice`. */
export const sliceMemory = (): SharedArrayBuffer => new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);

/** For the thread that works. */
export const slicesIn = (memory: SharedArrayBuffer): Slices => {
  const marks = new Int32Array(memory);
  return {
    begin(id) {
      Atomics.add(marks, count, 1);
      Atomics.store(marks, current, id);
    },
    end() {
      Atomics.store(marks, current, 0);
    },
  };
};

/** For the thread that watches. @returns the slice's number, and its request; 0 where there is none */
export const readSlice = (memory: SharedArrayBuffer): { number: number; id: number } => {
  const marks = new Int32Array(memory);
  return { number: Atomics.load(marks, count), id: Atomics.load(marks, current) };
};
