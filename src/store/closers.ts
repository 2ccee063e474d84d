/** What must be closed with the store, or when it cannot be opened: the last one first. */
export interface Closers {
  add(close: () => void | Promise<void>): void;
  close(): Promise<void>;
}

export const createClosers = (): Closers => {
  const closers: (() => void | Promise<void>)[] = [];
  return {
    add: (close) => void closers.push(close),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
};
