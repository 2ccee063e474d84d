import type { WorkerThread } from "./worker-thread.ts";

/** Threads that are loading the model. */
interface LoadingThreads {
  /** Starts one. @throws what `start` throws */
  begin(): Promise<WorkerThread>;
  /** The one that was started first; null where none is loading. @throws what `start` throws */
  first(): Promise<void> | null;
  /** Resolves when each of them has the model loaded or has failed. */
  ended(): Promise<void>;
}

/** @param start starts a thread that has the model loaded when it resolves */
export const createLoadingThreads = (start: () => Promise<WorkerThread>): LoadingThreads => {
  const loading = new Set<Promise<void>>();
  let first: Promise<void> | null = null;
  return {
    async begin() {
      const thread = start();
      const started = thread.then(() => undefined);
      const ended = started.catch(() => undefined);
      loading.add(ended);
      first ??= started;
      try {
        return await thread;
      } finally {
        loading.delete(ended);
        if (first === started) first = null;
      }
    },
    first: () => first,
    ended: async () => void (await Promise.all(loading)),
  };
};
