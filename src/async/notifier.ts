import { pause } from "./pause.ts";

/** Wakes callers that wait for something to happen. */
export interface Notifier {
  /** How often it has notified: compare it with an earlier count to see whether it did in between. */
  readonly count: number;
  notify(): void;
  /** Resolves at the next `notify`, at once if there was one since `count` was read, or when the signal fires. */
  next(since: number, signal: AbortSignal): Promise<void>;
}

export const createNotifier = (): Notifier => {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    get count() {
      return count;
    },
    notify() {
      count += 1;
      for (const wake of [...waiting]) wake();
    },
    next(since, signal) {
      if (count !== since || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener("abort", wake, { once: true });
      });
    },
  };
};

/**
 * Resolves at the next `notify`, at once if there was one since `count` was read; after the time; or when the signal fires.
 * @param ms null: there is no time
 */
export const notifiedOrPause = async (
  notifier: Pick<Notifier, "next">,
  since: number,
  ms: number | null,
  signal: AbortSignal,
): Promise<void> => {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const time = ms === null ? [] : [pause(ms, either)];
  await Promise.race([notifier.next(since, either), ...time]).finally(() => done.abort());
};
