const tickMs = 250;

/** How long something was waited for. */
interface Patience {
  /** Fires at its end. */
  signal: AbortSignal;
  /** What was waited for has come. */
  stop(): void;
}

/**
 * Patience of so many milliseconds, counted while this process runs: a machine that was suspended, or let its other
 * programs go first, is not taken for a server that hangs.
 */
export const startPatience = (forMs: number): Patience => {
  const ending = new AbortController();
  let leftMs = forMs;
  const timer = setInterval(() => {
    leftMs -= tickMs;
    if (leftMs > 0) return;
    clearInterval(timer);
    ending.abort(new DOMException("nothing came", "TimeoutError"));
  }, tickMs);
  return { signal: ending.signal, stop: () => clearInterval(timer) };
};

/** @returns what the work gives; null where patience ends before */
export const withPatience = async <T>(work: Promise<T>, forMs: number): Promise<T | null> => {
  const patience = startPatience(forMs);
  const late = Promise.withResolvers<null>();
  patience.signal.addEventListener("abort", () => late.resolve(null), { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    patience.stop();
  }
};
