/** How long work on one document may hold the event loop: what a health check then waits at most. */
const STRETCH_MS = 8;

/**
 * For long loops: call the function often, it lets other work run whenever the loop has held the thread for a while.
 * @throws the signal's reason once it has fired
 */
export const createBreather = (signal: AbortSignal): (() => Promise<void> | undefined) => {
  let since = performance.now();
  return () => {
    if (performance.now() - since < STRETCH_MS) return undefined;
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        since = performance.now();
        if (signal.aborted) reject(signal.reason);
        else resolve();
      });
    });
  };
};
