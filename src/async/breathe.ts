import { nextStretch } from "./next-stretch.ts";

/**
 * How long a loop may block the event loop. A health check waits no longer; an ingest or a question, which takes ten to
 * twenty turns of the event loop, waits so long in each beside somebody else's loop.
 */
const maxStretchMs = 3;

/**
 * For long loops: call the returned function often. It lets other work run when the loop has blocked the thread for a
 * while.
 * @param signal ends the loop; left out: nothing does
 * @throws the signal's reason once it has fired
 */
export const createBreather = (signal?: AbortSignal): (() => Promise<void> | undefined) => {
  let since = performance.now();
  const pause = async (): Promise<void> => {
    await nextStretch();
    since = performance.now();
    signal?.throwIfAborted();
  };
  return () => (performance.now() - since < maxStretchMs ? undefined : pause());
};
