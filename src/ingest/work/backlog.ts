import type { DocumentRecord } from "../../domain/records.ts";

/** A document that waits to be processed. */
export interface Waiting {
  id: string;
  organizationId: string;
  /** What was just stored of it, so that it need not be read again. */
  accepted?: { document: DocumentRecord; text: string } | undefined;
}

export interface BacklogLimits {
  maxPerOrganization: number;
  /** Text held of all waiting documents together; of more than that, the text is read from the store in time. */
  maxCharacters: number;
}

/**
 * The documents that wait, in memory: by organization, oldest first, organizations in rotation. Holds a bounded number
 * of each organization; what is above that stays in the store and is fetched from there when the rest is done.
 */
export interface Backlog {
  readonly size: number;
  has(id: string): boolean;
  /** Adds a document; twice does no harm. */
  add(waiting: Waiting): void;
  /** @returns whether it was there */
  remove(id: string): boolean;
  /** The next one of the next organization that may start one. */
  take(mayStart: (organizationId: string) => boolean): Waiting | null;
  /** Notes that the store holds more of this organization than is here, or no more. */
  setMore(organizationId: string, more: boolean): void;
  /** Organizations of which nothing is left here but more in the store. */
  wanting(): string[];
}

export const createBacklog = ({ maxPerOrganization, maxCharacters }: BacklogLimits): Backlog => {
  /** In the order of rotation. */
  const queues = new Map<string, Set<string>>();
  const entries = new Map<string, Waiting>();
  const withMore = new Set<string>();
  let characters = 0;

  const lengthOf = ({ accepted }: Waiting): number => accepted?.text.length ?? 0;

  const removeEntry = (waiting: Waiting): void => {
    const queue = queues.get(waiting.organizationId);
    queue?.delete(waiting.id);
    if (queue?.size === 0) queues.delete(waiting.organizationId);
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
      const queue = queues.get(organizationId) ?? new Set<string>();
      if (queue.size >= maxPerOrganization) {
        withMore.add(organizationId);
        return;
      }
      const fits = characters + lengthOf(waiting) <= maxCharacters;
      const entry: Waiting = fits ? waiting : { id, organizationId };
      characters += lengthOf(entry);
      queue.add(id);
      entries.set(id, entry);
      queues.set(organizationId, queue);
    },
    remove(id) {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      removeEntry(entry);
      return true;
    },
    take(mayStart) {
      for (const [organizationId, queue] of queues) {
        if (!mayStart(organizationId)) continue;
        const [id] = queue;
        const entry = id === undefined ? undefined : entries.get(id);
        if (entry === undefined) continue;
        queues.delete(organizationId);
        queues.set(organizationId, queue);
        removeEntry(entry);
        return entry;
      }
      return null;
    },
    setMore(organizationId, more) {
      if (more) withMore.add(organizationId);
      else withMore.delete(organizationId);
    },
    wanting: () => [...withMore].filter((organizationId) => !queues.has(organizationId)),
  };
};
