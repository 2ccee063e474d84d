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
