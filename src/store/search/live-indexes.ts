import type { IndexInfo } from "../../domain/records.ts";
import type { Segment, Segments } from "../segments/segments.ts";
import type { RecentSnippets } from "./recent-snippets.ts";
import type { StoredSnippet } from "./snippet-rows.ts";
import type { UnindexedSnippets } from "./unindexed-snippets.ts";

/** One of the tables that the snippets of an index are in. */
export interface SnippetSegment extends Segment<StoredSnippet> {
  /** Whether its vectors have an index of codes, as far as the last upkeep knows. */
  hasVectorIndex(): boolean;
  readonly recent: RecentSnippets;
  /** Rows that the table's indexes do not hold yet. */
  readonly unindexed: Pick<UnindexedSnippets, "of" | "having" | "isBehind" | "standing">;
}

/** An index whose tables are open. */
export interface LiveIndex {
  info: IndexInfo;
  readonly segments: Segments<StoredSnippet, SnippetSegment>;
  /** Revisions that it holds, if it is being built. */
  readonly filled: Set<string>;
}

/** The indexes that documents are written to. */
export interface LiveIndexes {
  active: LiveIndex;
  building: LiveIndex | null;
}

/** An organization with at least this part of an index's rows is searched without a condition on each row. */
const nearlyAll = 0.9;

/** Whether an organization has nearly all rows of an index, or of a segment. @param snippets that it has */
export const hasNearlyAll = async (of: { count(): Promise<number> }, snippets: number): Promise<boolean> =>
  snippets >= nearlyAll * (await of.count());

export const allOfIndexes = (live: LiveIndexes): LiveIndex[] =>
  live.building === null ? [live.active] : [live.active, live.building];
