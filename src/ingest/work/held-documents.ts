import type { Waiting } from "./backlog.ts";

/** Documents held for exclusive writes: their jobs are not started until the last holder is done. */
interface HeldDocuments {
  has(id: string): boolean;
  /** Notes that a held document is to be processed afterwards; does nothing for one that is not held. */
  setWaiting(waiting: Waiting): void;
  /**
   * Runs `work` while the document is held. Several may hold one document at once.
   * @returns what `work` returns
   */
  hold<T>(id: string, work: () => Promise<T>): Promise<T>;
}

/** @param onFree called when the last holder is done, with the document that waits to be processed */
export const createHeldDocuments = (onFree: (waiting: Waiting) => void): HeldDocuments => {
  const held = new Map<string, { holders: number; waiting: Waiting | null }>();
  return {
    has: (id) => held.has(id),
    setWaiting(waiting) {
      const entry = held.get(waiting.id);
      if (entry !== undefined) entry.waiting = waiting;
    },
    async hold(id, work) {
      const entry = held.get(id) ?? { holders: 0, waiting: null };
      held.set(id, entry);
      entry.holders += 1;
      try {
        return await work();
      } finally {
        entry.holders -= 1;
        if (entry.holders === 0) {
          held.delete(id);
          if (entry.waiting !== null) onFree(entry.waiting);
        }
      }
    },
  };
};
