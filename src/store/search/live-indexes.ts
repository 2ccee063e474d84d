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
  readonly unindexed: Pick<UnindexedSnippets, "of" | "standing">;
  /** Revisions that the table holds, if the index is being built. */
  readonly filled: Set<string>;
}

/** The indexes that documents are written to. */
export interface LiveIndexes {
  active: LiveIndex;
  building: LiveIndex | null;
}

export const allOfIndexes = (live: LiveIndexes): LiveIndex[] =>
  live.building === null ? [live.active] : [live.active, live.building];
