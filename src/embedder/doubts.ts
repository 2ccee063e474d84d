import { createNotifier, type Notifier } from "../async/notifier.ts";
import type { DocumentRecord } from "../domain/records.ts";

/**
 * Documents with a text that was in a failed call, and how often each text failed alone. They are tried apart from the
 * others, so that a text that makes every call fail holds up its own document alone.
 */
export interface Doubts {
  readonly size: number;
  /** Notifies when a document is added or settled. */
  readonly changed: Notifier;
  has(revision: string): boolean;
  add(document: DocumentRecord): void;
  /**
   * The document to be tried next; null if none is due. Of those that are due, one of the organization that waited
   * longest, and of these the one that waited longest: nobody waits for all the refused texts of somebody else.
   */
  next(): DocumentRecord | null;
  /** How long until another document is due; null if that needs a new one. */
  dueInMs(): number | null;
  postpone(document: DocumentRecord, ms: number): void;
  /** The document is not doubted any more. */
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
  dueAt: number;
}

export const createDoubts = (): Doubts => {
  /** By revision: the one that waited longest comes first. */
  const entries = new Map<string | null, Entry>();
  const failures = new Map<string, number>();
  const aside = new Set<string>();
  /** When each organization had its last turn, as a number of turns. */
  const turns = new Map<string, number>();
  const changed = createNotifier();
  let turn = 0;

  const put = (document: DocumentRecord, dueAt: number): void => {
    entries.delete(document.revision);
    entries.set(document.revision, { document, dueAt });
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
      let chosen: DocumentRecord | null = null;
      let lastTurn = Number.POSITIVE_INFINITY;
      for (const { document, dueAt } of entries.values()) {
        const last = turns.get(document.organizationId) ?? 0;
        if (dueAt > now || last >= lastTurn) continue;
        chosen = document;
        lastTurn = last;
      }
      turn += 1;
      if (chosen !== null) turns.set(chosen.organizationId, turn);
      return chosen;
    },
    dueInMs() {
      let first = Number.POSITIVE_INFINITY;
      for (const { dueAt } of entries.values()) first = Math.min(first, dueAt);
      return entries.size === 0 ? null : Math.max(first - performance.now(), 0);
    },
    postpone: (document, ms) => put(document, performance.now() + ms),
    settle({ revision }) {
      entries.delete(revision);
      if (entries.size === 0) turns.clear();
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
