import type { Waiting } from "./backlog.ts";

/** Documents that wait for their next attempt. */
interface PausedDocuments {
  readonly size: number;
  has(id: string): boolean;
  /** @param onDue called with the document once the pause is over */
  add(waiting: Waiting, pauseMs: number, onDue: (waiting: Waiting) => void): void;
  /** @returns whether it was paused */
  remove(id: string): boolean;
  clear(): void;
}

export const createPausedDocuments = (): PausedDocuments => {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  return {
    get size() {
      return timers.size;
    },
    has: (id) => timers.has(id),
    add(waiting, pauseMs, onDue) {
      const timer = setTimeout(() => {
        timers.delete(waiting.id);
        onDue(waiting);
      }, pauseMs);
      timer.unref();
      timers.set(waiting.id, timer);
    },
    remove(id) {
      clearTimeout(timers.get(id));
      return timers.delete(id);
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
};
