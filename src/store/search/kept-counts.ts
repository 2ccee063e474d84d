import type { MeanLengths } from "../../text/bm25.ts";
import { ownText } from "../../text/words/word-cache.ts";
import type { SnippetSegment } from "./live-indexes.ts";
import { everySnippet, type TermTally } from "./tally-terms.ts";

/** The snippets of a tenant in one segment: how many, and how many terms they have in the mean, by column. */
export interface SegmentMeans {
  readonly snippets: number;
  readonly columns: Readonly<Record<"terms" | "titleTerms", number>>;
}

/** What is known of the length of a tenant's snippets. */
export interface Means {
  readonly lengths: MeanLengths;
  /** Null where nobody needs it: all terms are counted. Lacks segments that came later. */
  readonly ofSegments: ReadonlyMap<SnippetSegment, SegmentMeans> | null;
}

/** The counts of one index and tenant. */
export interface TenantCounts {
  readonly organizationId: string;
  counts: Map<string, number>;
  /** Whether all terms of the tenant are counted: any other occurs nowhere. */
  isComplete: boolean;
  /** When the last count of all terms began (`performance.now()`). */
  talliedAt: number;
  /** While all terms are being counted: what has changed since the moment that they are counted at. */
  sinceTally: Map<string, number> | null;
  /** How often documents of the tenant changed. */
  changes: number;
  /** How many snippets were added and removed by that. */
  changedSnippets: number;
  /** The mean length of some snippets, and how many had changed before they were read; null: none were. */
  sampled: { readonly means: Means; readonly changedSnippets: number } | null;
}

/** The counts that are in memory, by a key for index and tenant. */
export interface KeptCounts {
  find(key: string, term: string): number | undefined;
  /** The counts of all terms; null while they are not complete. */
  all(key: string): ReadonlyMap<string, number> | null;
  /** The counts of a key; they are created if there are none. */
  entry(key: string, organizationId: string): TenantCounts;
  /**
   * Whether documents of the tenant changed since the entry had so many changes, or its counts were dropped: a count that
   * was made meanwhile may be wrong.
   */
  hasChanged(key: string, entry: TenantCounts, changes: number): boolean;
  /** Whether the counts of the entry were not dropped. */
  isCurrent(key: string, entry: TenantCounts): boolean;
  keep(entry: TenantCounts, term: string, count: number): void;
  /** Whether there is room for so many counts more. */
  hasRoom(counts: number): boolean;
  /**
   * Keeps the counts of all terms, in the map that is given, with what has changed since: no term in it may hold the text
   * that it comes from.
   */
  complete(entry: TenantCounts, counts: Map<string, number>): void;
  /** Whether any of the counts of an organization's tenants are as wanted. */
  some(organizationId: string, isWanted: (entry: TenantCounts) => boolean): boolean;
  /** Documents changed in a way that was not counted. */
  forget(organizationId: string): void;
  /** Adds a tally (+1) to the counts of these keys, or subtracts it (-1). */
  change(keys: readonly string[], tally: TermTally, sign: 1 | -1): void;
}

/** Adds a tally (+1) to counts, or subtracts it (-1). @param areAll whether a term that is not among them occurs nowhere */
const addTally = (counts: Map<string, number>, tally: TermTally, sign: 1 | -1, areAll: boolean): void => {
  for (const [term, occurrences] of tally) {
    const count = counts.get(term);
    if (count === undefined && !areAll) continue;
    const changed = (count ?? 0) + sign * occurrences;
    if (count === undefined) counts.set(ownText(term), changed);
    else if (changed === 0 && areAll) counts.delete(term);
    else counts.set(term, changed);
  }
};

/** @param maxCounts when there are so many, all are dropped */
export const createKeptCounts = (maxCounts: number): KeptCounts => {
  let kept = new Map<string, TenantCounts>();
  let total = 0;

  const recount = (): void => {
    total = [...kept.values()].reduce((sum, { counts }) => sum + counts.size, 0);
  };

  const dropIfTooMany = (): void => {
    if (total < maxCounts) return;
    kept = new Map();
    total = 0;
  };

  const entryOf = (key: string, organizationId: string): TenantCounts => {
    dropIfTooMany();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const talliedAt = Number.NEGATIVE_INFINITY;
    const entry: TenantCounts = {
      organizationId,
      counts: new Map(),
      isComplete: false,
      talliedAt,
      sinceTally: null,
      changes: 0,
      changedSnippets: 0,
      sampled: null,
    };
    kept.set(key, entry);
    return entry;
  };

  return {
    find(key, term) {
      const entry = kept.get(key);
      return entry?.counts.get(term) ?? (entry?.isComplete ? 0 : undefined);
    },
    all(key) {
      const entry = kept.get(key);
      return entry?.isComplete ? entry.counts : null;
    },
    entry: entryOf,
    isCurrent: (key, entry) => kept.get(key) === entry,
    hasChanged: (key, entry, changes) => kept.get(key) !== entry || entry.changes !== changes,
    keep(entry, term, count) {
      entry.counts.set(ownText(term), count);
      total += 1;
    },
    hasRoom: (counts) => total + counts <= maxCounts,
    complete(entry, counts) {
      addTally(counts, entry.sinceTally ?? new Map(), 1, true);
      entry.counts = counts;
      entry.isComplete = true;
      entry.sinceTally = null;
      recount();
    },
    some(organizationId, isWanted) {
      for (const entry of kept.values()) if (entry.organizationId === organizationId && isWanted(entry)) return true;
      return false;
    },
    forget(organizationId) {
      for (const [key, entry] of kept) if (entry.organizationId === organizationId) kept.delete(key);
      recount();
    },
    change(keys, tally, sign) {
      for (const key of keys) {
        const entry = kept.get(key);
        if (entry === undefined) continue;
        entry.changes += 1;
        entry.changedSnippets += tally.get(everySnippet) ?? 0;
        if (entry.sinceTally !== null) addTally(entry.sinceTally, tally, sign, true);
        const before = entry.counts.size;
        addTally(entry.counts, tally, sign, entry.isComplete);
        total += entry.counts.size - before;
      }
      // New documents add terms even without queries.
      dropIfTooMany();
    },
  };
};
