import type { Logger } from "../log/log.ts";

/** Closing can take this long on a machine that is busy with other work; after that the process ends without it. */
export const maxCloseMs = 2_000;

/**
 * Stops the server, or gives up: a supervisor would kill it, and writes that were acknowledged are on the disk already.
 * @param maxMs how long to wait @returns whether it was closed in order
 */
export const stopWithin = async (stop: () => Promise<void>, maxMs: number, log: Logger): Promise<boolean> => {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), maxMs);
  const isClosed = await Promise.race([stop().then(() => true), late]);
  clearTimeout(timer);
  if (!isClosed)
    log.warn(
      { afterMs: maxMs },
      "closing took too long: the server ends without it, and the next start checks the store as after a crash",
    );
  return isClosed;
};
