import { createFairQueue } from "../../async/turns.ts";
import type { DocumentRecord } from "../../domain/records.ts";

/** A document that waits to be processed. */
export interface Waiting {
  id: string;
  organizationId: string;
  /** The document and text as just stored, which saves reading them again. */
  accepted?: { document: DocumentRecord; text: string } | undefined;
}

interface BacklogLimits {
  maxPerOrganization: number;
  /** Text of all waiting documents together; texts beyond it are read from the store when their turn comes. */
  maxCharacters: number;
}

/**
 * The waiting documents in memory: by organization, oldest first, organizations in rotation. Holds a bounded number of
 * each organization; the rest stays in the store and is read from there once these are done.
 */
export interface Backlog {
  readonly size: number;
  has(id: string): boolean;
  /** Adds a document; does nothing for one that is there already. */
  add(waiting: Waiting): void;
  /** @returns whether it waited */
  remove(id: string): boolean;
  /** The next one of the next organization that may start one. */
  take(mayStart: (organizationId: string) => boolean): Waiting | null;
  /** Notes whether the store holds further waiting documents of this organization. */
  setMore(organizationId: string, hasMore: boolean): void;
  /** Organizations that have waiting documents in the store only. */
  exhausted(): string[];
}

export const createBacklog = ({ maxPerOrganization, maxCharacters }: BacklogLimits): Backlog => {
  const queue = createFairQueue<string>();
  const entries = new Map<string, Waiting>();
  const withMore = new Set<string>();
  let characters = 0;

  const lengthOf = ({ accepted }: Waiting): number => accepted?.text.length ?? 0;

  const removeEntry = (waiting: Waiting): void => {
    queue.remove(waiting.organizationId, waiting.id);
    entries.delete(waiting.id);
    characters -= lengthOf(waiting);
  };

  return {
    get size() {
      return entries.size;
    },
    has: (id) => entries.has(id),
    add(waiting) {
      const { id, organizationId } = waiting;
      if (entries.has(id)) return;
      if (queue.countOf(organizationId) >= maxPerOrganization) {
        withMore.add(organizationId);
        return;
      }
      const fits = characters + lengthOf(waiting) <= maxCharacters;
      const entry: Waiting = fits ? waiting : { id, organizationId };
      characters += lengthOf(entry);
      queue.add(organizationId, id);
      entries.set(id, entry);
    },
    remove(id) {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      removeEntry(entry);
      return true;
    },
    take(mayStart) {
      const id = queue.next(mayStart);
      const entry = id === null ? undefined : entries.get(id);
      if (entry === undefined) return null;
      removeEntry(entry);
      return entry;
    },
    setMore(organizationId, more) {
      if (more) withMore.add(organizationId);
      else withMore.delete(organizationId);
    },
    exhausted: () => [...withMore].filter((organizationId) => queue.countOf(organizationId) === 0),
  };
};

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
