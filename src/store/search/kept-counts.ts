import type { MeanLengths } from "../../text/bm25.ts";
import { ownText } from "../../text/words/word-cache.ts";
import type { SnippetSegment } from "./live-indexes.ts";
import { everySnippet, type TermTally } from "./tally-terms.ts";

/** When there are this many counts, all are dropped. */
const maxCounts = 300_000;

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
  /** How often documents of the tenant changed. */
  changes: number;
  /** How many snippets were added and removed by that. */
  changedSnippets: number;
  /** The mean length of some snippets, and how many had changed before they were read; null: none were. */
  sampled: { readonly means: Means; readonly changedSnippets: number } | null;
}

/** The counts that are in memory, by a key for index and tenant. */
interface KeptCounts {
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
  keep(entry: TenantCounts, term: string, count: number): void;
  /** Keeps the counts of all terms, in the map that is given: no term in it may hold the text that it comes from. */
  complete(entry: TenantCounts, counts: Map<string, number>): void;
  /** Whether any of the counts of an organization's tenants are as wanted. */
  some(organizationId: string, isWanted: (entry: TenantCounts) => boolean): boolean;
  /** Documents changed in a way that was not counted. */
  forget(organizationId: string): void;
  /** Adds a tally (+1) to the counts of these keys, or subtracts it (-1). */
  change(keys: readonly string[], tally: TermTally, sign: 1 | -1): void;
}

export const createKeptCounts = (): KeptCounts => {
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
    hasChanged: (key, entry, changes) => kept.get(key) !== entry || entry.changes !== changes,
    keep(entry, term, count) {
      entry.counts.set(ownText(term), count);
      total += 1;
    },
    complete(entry, counts) {
      entry.counts = counts;
      entry.isComplete = true;
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
        for (const [term, occurrences] of tally) {
          const count = entry.counts.get(term);
          if (count === undefined && !entry.isComplete) continue;
          const changed = (count ?? 0) + sign * occurrences;
          if (count !== undefined && changed === 0 && entry.isComplete) {
            entry.counts.delete(term); // as for any term that occurs nowhere
            total -= 1;
          } else if (count !== undefined) entry.counts.set(term, changed);
          else {
            entry.counts.set(ownText(term), changed);
            total += 1;
          }
        }
      }
      // New documents add terms even without queries.
      dropIfTooMany();
    },
  };
};
