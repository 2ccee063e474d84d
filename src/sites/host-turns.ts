import { unlessAborted } from "../async/on-abort.ts";

/** Runs work on one host after another, with a pause between; on different hosts at once. */
type HostTurns = <T>(host: string, pauseMs: number, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

export const createHostTurns = (): HostTurns => {
  const tails = new Map<string, Promise<void>>();

  return (host, pauseMs, signal, work) => {
    const before = tails.get(host) ?? Promise.resolve();
    let hasStarted = false;
    const mine = before.then(() => {
      signal.throwIfAborted();
      hasStarted = true;
      return work();
    });
    // Work that was canceled before its turn leaves no pause behind.
    const tail: Promise<void> = mine
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => (hasStarted ? Bun.sleep(pauseMs) : undefined))
      .then(() => {
        if (tails.get(host) === tail) tails.delete(host);
      });
    tails.set(host, tail);
    return unlessAborted(mine, signal); // canceled work does not wait for its turn
  };
};
