import { onAbort } from "./on-abort.ts";

/** Gives turns to the holders of a key, one after another; holders of different keys have theirs at the same time. */
export interface KeyedQueue {
  /**
   * Waits for a turn, which lasts until `release` is called; calling it twice does no harm.
   * @throws `tooManyWaiting`'s error; the signal's reason where it fires first
   */
  enter(key: string, signal: AbortSignal): Promise<{ release(): void }>;
}

interface KeyedQueueOptions {
  /** How many may wait for one key. */
  maxWaiting: number;
  /** What is thrown when more would wait. */
  tooManyWaiting(): Error;
}

/** Neither p-queue nor async-mutex fits: a turn spans the yields of a generator, and a waiting caller can give up. */
export const createKeyedQueue = ({ maxWaiting, tooManyWaiting }: KeyedQueueOptions): KeyedQueue => {
  /** By key: the current holder, then those that wait, in order. */
  const lines = new Map<string, (() => void)[]>();

  return {
    async enter(key, signal) {
      signal.throwIfAborted();
      const line = lines.get(key) ?? [];
      if (line.length > maxWaiting) throw tooManyWaiting();
      lines.set(key, line);
      const turn = Promise.withResolvers<void>();
      const leave = () => {
        const place = line.indexOf(turn.resolve);
        if (place === -1) return;
        line.splice(place, 1);
        if (line.length === 0) lines.delete(key);
        else if (place === 0) line[0]?.();
      };
      line.push(turn.resolve);
      if (line.length === 1) turn.resolve();
      const forget = onAbort(signal, () => {
        leave();
        turn.reject(signal.reason);
      });
      try {
        await turn.promise;
        signal.throwIfAborted();
      } catch (error) {
        leave();
        throw error;
      } finally {
        forget();
      }
      return { release: leave };
    },
  };
};
