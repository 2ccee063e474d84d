/**
 * Asks once and keeps the answer; a failure is not kept, so the next caller asks again. Callers that come while the
 * question is open share it, so the signal of one caller must not reach `ask`.
 */
export const askOnce = <A extends unknown[], T>(ask: (...args: A) => Promise<T>): ((...args: A) => Promise<T>) => {
  let kept: Promise<T> | null = null;
  return (...args) => {
    kept ??= ask(...args).catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return kept;
  };
};

/** A signal that never fires, for a call that several callers share: the outbound side has time limits of its own. */
export const neverAborted = (): AbortSignal => new AbortController().signal;
