import { createFairQueue } from "../async/turns.ts";
import { createNotifier, type Notifier } from "../async/waiting.ts";
import type { DocumentRecord } from "../domain/records.ts";

/**
 * Documents with a text that was in a failed call, and how often each text failed alone. Each of these texts is given to
 * the model alone, so that a text that makes every call fail holds up its own document alone.
 */
export interface RetryList {
  readonly size: number;
  /** Notifies when a document is added or settled. */
  readonly changed: Notifier;
  has(revision: string): boolean;
  add(document: DocumentRecord): void;
  /**
   * The document to be tried next; null if none is due. Organizations come in rotation: nobody waits for all the refused
   * texts of somebody else.
   */
  next(): DocumentRecord | null;
  /** How long until another document is due; null if that needs a new one. */
  dueInMs(): number | null;
  postpone(document: DocumentRecord, ms: number): void;
  /** No text of the document is to be tried again. */
  settle(document: DocumentRecord): void;
  /** How often a text failed alone, by the hash of its input. */
  failures(hash: string): number;
  setFailures(hash: string, failures: number): void;
  /** The text is not tried any more. */
  setAside(hash: string): void;
  isSetAside(hash: string): boolean;
  /** Nothing is known of any text. */
  forgetTexts(): void;
}

interface Entry {
  readonly document: DocumentRecord;
  /** On the clock of `performance.now()`. */
  readonly dueAt: number;
}

export const createRetryList = (): RetryList => {
  /** By revision. */
  const entries = new Map<string | null, Entry>();
  const queue = createFairQueue<Entry>();
  const failures = new Map<string, number>();
  const aside = new Set<string>();
  const changed = createNotifier();

  const remove = (revision: string | null): void => {
    const entry = entries.get(revision);
    if (entry !== undefined) queue.remove(entry.document.organizationId, entry);
    entries.delete(revision);
  };
  /** The document comes last of its organization's. */
  const put = (document: DocumentRecord, dueAt: number): void => {
    remove(document.revision);
    const entry = { document, dueAt };
    entries.set(document.revision, entry);
    queue.add(document.organizationId, entry);
  };

  return {
    get size() {
      return entries.size;
    },
    changed,
    has: (revision) => entries.has(revision),
    add(document) {
      put(document, 0);
      changed.notify();
    },
    next() {
      const now = performance.now();
      return queue.next(undefined, ({ dueAt }) => dueAt <= now)?.document ?? null;
    },
    dueInMs() {
      let first = Number.POSITIVE_INFINITY;
      for (const { dueAt } of entries.values()) first = Math.min(first, dueAt);
      return entries.size === 0 ? null : Math.max(first - performance.now(), 0);
    },
    postpone: (document, ms) => put(document, performance.now() + ms),
    settle({ revision }) {
      remove(revision);
      changed.notify();
    },
    failures: (hash) => failures.get(hash) ?? 0,
    setFailures: (hash, count) => void failures.set(hash, count),
    setAside: (hash) => void aside.add(hash),
    isSetAside: (hash) => aside.has(hash),
    forgetTexts() {
      failures.clear();
      aside.clear();
    },
  };
};
