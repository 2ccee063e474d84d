/** Runs work of one key one after another, work of different keys at once. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A key that is not held takes no memory. async-mutex has no keys, and a map of its mutexes is two to five times slower. */
export const createKeyedMutex = (): KeyedMutex => {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const tail = mine.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
};

/** Work is in the set until it has ended. */
export const whileIn = async <R>(set: Set<Promise<unknown>>, work: Promise<R>): Promise<R> => {
  const ended = work.catch(() => undefined);
  set.add(ended);
  try {
    return await work;
  } finally {
    set.delete(ended);
  }
};

/** Shared work runs concurrently; exclusive work waits for running work and delays new work. */
export interface Gate {
  shared<T>(work: () => Promise<T>): Promise<T>;
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export const createGate = (): Gate => {
  const running = new Set<Promise<unknown>>();
  let barrier: Promise<unknown> = Promise.resolve();
  let closed = 0;
  return {
    async shared(work) {
      while (closed > 0) await barrier;
      return await whileIn(running, work());
    },
    async exclusive(work) {
      closed += 1;
      const before = barrier;
      const mine = (async () => {
        await before;
        await Promise.all(running);
        return await work();
      })();
      barrier = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        closed -= 1;
      }
    },
  };
};

/** Work that covers all that was done before it began: calls that wait share its next run. */
interface SharedRun {
  /** Resolves, or fails, with the run that begins after this call. */
  next(): Promise<void>;
  /** Resolves when nothing runs. */
  idle(): Promise<void>;
}

/** @param run never called while it runs */
export const createSharedRun = (run: () => Promise<void>): SharedRun => {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const idle = async (): Promise<void> => running?.catch(() => undefined);
  return {
    next() {
      // A run that is under way may have begun before what the caller did: only the next one covers it.
      next ??= idle().then(() => {
        next = null;
        running = run().finally(() => {
          running = null;
        });
        return running;
      });
      return next;
    },
    idle,
  };
};
