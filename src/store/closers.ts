/** What must be closed with the store, or when it cannot be opened: the last one first. */
export interface Closers {
  add(close: () => void | Promise<void>): void;
  /** Closes all of them, also where one fails: a lock that stayed would keep the next server from its store. @throws the first error */
  close(): Promise<void>;
}

export const createClosers = (): Closers => {
  const closers: (() => void | Promise<void>)[] = [];
  return {
    add: (close) => void closers.push(close),
    async close() {
      const errors: unknown[] = [];
      for (const close of closers.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  };
};
