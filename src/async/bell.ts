import { pause } from "./pause.ts";

/** Wakes callers that wait for something to happen. */
export interface Bell {
  /** The number of rings so far: compare it with an earlier one to see whether the bell rang in between. */
  readonly rings: number;
  ring(): void;
  /** Resolves at the next ring, at once if it rang since `rings` was read, or when the signal fires. */
  next(since: number, signal: AbortSignal): Promise<void>;
}

export const createBell = (): Bell => {
  let rings = 0;
  const waiting = new Set<() => void>();
  return {
    get rings() {
      return rings;
    },
    ring() {
      rings += 1;
      for (const wake of [...waiting]) wake();
    },
    next(since, signal) {
      if (rings !== since || signal.aborted) return Promise.resolve();
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
 * Resolves when the bell rings, at once if it rang since `rings` was read; after the time; or when the signal fires.
 * @param ms null: there is no time
 */
export const ringOrPause = async (
  bell: Pick<Bell, "next">,
  since: number,
  ms: number | null,
  signal: AbortSignal,
): Promise<void> => {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const time = ms === null ? [] : [pause(ms, either)];
  await Promise.race([bell.next(since, either), ...time]).finally(() => done.abort());
};
