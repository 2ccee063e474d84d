import { ApiError } from "../domain/errors.ts";

/** Runs the work of one thread of a conversation one after another, that of different threads at once. */
export interface ThreadQueue {
  /**
   * Waits for its turn, which lasts until `release` is called.
   * @throws ApiError overloaded where too many wait already; the signal's reason where it fires first
   */
  enter(thread: string, signal: AbortSignal): Promise<{ release(): void }>;
}

/** Far more than a person sends before the first answer is there. */
const LONGEST_QUEUE = 100;

export const createThreadQueue = (longest = LONGEST_QUEUE): ThreadQueue => {
  /** Per thread: who holds it or waits, first come first. */
  const lines = new Map<string, (() => void)[]>();

  return {
    async enter(thread, signal) {
      signal.throwIfAborted();
      const line = lines.get(thread) ?? [];
      if (line.length > longest) {
        throw new ApiError(
          "overloaded",
          "Too many messages wait for an answer in this conversation: send it again later.",
          {
            headers: { "Retry-After": "5" },
          },
        );
      }
      lines.set(thread, line);
      const turn = Promise.withResolvers<void>();
      const leave = () => {
        const place = line.indexOf(turn.resolve);
        if (place === -1) return;
        line.splice(place, 1);
        if (line.length === 0) lines.delete(thread);
        else if (place === 0) line[0]?.();
      };
      const giveUp = () => {
        leave();
        turn.reject(signal.reason);
      };
      line.push(turn.resolve);
      if (line.length === 1) turn.resolve();
      signal.addEventListener("abort", giveUp, { once: true });
      try {
        await turn.promise;
        signal.throwIfAborted();
      } catch (error) {
        leave();
        throw error;
      } finally {
        signal.removeEventListener("abort", giveUp);
      }
      return { release: leave };
    },
  };
};
