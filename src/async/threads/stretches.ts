/**
 * What a thread works on at this moment, in memory that another thread reads even while the first one does nothing but
 * compute. Between two stretches of work a thread lets messages in.
 */
export interface Stretches {
  /** A stretch for this request begins. */
  begin(id: number): void;
  /** Nothing is under way until the next one begins. */
  end(): void;
}

const count = 0;
const current = 1;

/** Room for `stretchesIn` and `readStretch`. */
export const stretchMemory = (): SharedArrayBuffer => new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);

/** For the thread that works. */
export const stretchesIn = (memory: SharedArrayBuffer): Stretches => {
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

/** For the thread that watches. @returns the stretch's number, and its request; 0 where none is under way */
export const readStretch = (memory: SharedArrayBuffer): { number: number; id: number } => {
  const marks = new Int32Array(memory);
  return { number: Atomics.load(marks, count), id: Atomics.load(marks, current) };
};
