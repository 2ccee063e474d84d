/** Called when a signal fires, in the order they were added. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal fires; one that has fired already calls nothing. A thousand callers that wait on one
 * signal cost it one listener: an `AbortSignal` searches its list from the start at every removal.
 * @returns removes the callback
 */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  let waiting = callbacks.get(signal);
  if (waiting === undefined) {
    waiting = new Set();
    callbacks.set(signal, waiting);
    const all = waiting;
    signal.addEventListener(
      "abort",
      () => {
        for (const call of all) call();
      },
      { once: true },
    );
  }
  const own = () => callback();
  waiting.add(own);
  return () => void waiting.delete(own);
};

/**
 * The result of work that cannot be canceled, or the signal's reason as soon as it fires: the result is then ignored.
 * @throws what the work throws; the signal's reason
 */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });

/** Time for tidying up that outlives an abort. */
export interface Grace {
  /** Fires the given time after the other signal, with its reason. */
  readonly signal: AbortSignal;
  /** Must be called when the work is done: no timer is left. */
  end(): void;
}

/** A signal for work that goes on after an abort, but no longer than `ms` milliseconds after it. */
export const graceAfter = (signal: AbortSignal, ms: number): Grace => {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    timer = setTimeout(() => late.abort(signal.reason), ms);
  };
  const removeCallback = onAbort(signal, begin);
  if (signal.aborted) begin();
  return {
    signal: late.signal,
    end() {
      removeCallback();
      clearTimeout(timer);
    },
  };
};
