/** How long work on one document may block the event loop: a health check waits no longer. */
const maxStretchMs = 8;

/**
 * For long loops: call the returned function often. It lets other work run when the loop has blocked the thread for a
 * while.
 * @param signal ends the loop; left out: nothing does
 * @throws the signal's reason once it has fired
 */
export const createBreather = (signal?: AbortSignal): (() => Promise<void> | undefined) => {
  let since = performance.now();
  return () => {
    if (performance.now() - since < maxStretchMs) return undefined;
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        since = performance.now();
        if (signal?.aborted) reject(signal.reason);
        else resolve();
      });
    });
  };
};
