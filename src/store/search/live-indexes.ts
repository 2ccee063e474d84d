import type { IndexInfo } from "../../domain/records.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { RecentSnippets } from "./recent-snippets.ts";
import type { StoredSnippet } from "./snippet-rows.ts";
import type { UnindexedSnippets } from "./unindexed-snippets.ts";

/** An index whose table is open. */
export interface LiveIndex {
  info: IndexInfo;
  readonly table: StoreTable<StoredSnippet>;
  /** Whether its vectors have an index of codes, as far as the last upkeep knows. */
  hasVectorIndex(): boolean;
  readonly recent: RecentSnippets;
  /** Rows that the table's indexes do not hold yet. */
  readonly unindexed: Pick<UnindexedSnippets, "of" | "having" | "standing">;
  /** Revisions that the table holds, if the index is being built. */
  readonly filled: Set<string>;
}

/** The indexes that documents are written to. */
export interface LiveIndexes {
  active: LiveIndex;
  building: LiveIndex | null;
}

/** An organization with at least this part of an index's rows is searched without a condition on each row. */
const nearlyAll = 0.9;

/** Whether an organization has nearly all rows of an index. @param snippets that it has */
export const hasNearlyAll = async ({ table }: Pick<LiveIndex, "table">, snippets: number): Promise<boolean> =>
  snippets >= nearlyAll * (await table.count());

export const allOfIndexes = (live: LiveIndexes): LiveIndex[] =>
  live.building === null ? [live.active] : [live.active, live.building];
