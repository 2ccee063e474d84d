import type { OptimizeOptions } from "@lancedb/lancedb";
import type { StoreTable } from "../engine/store-table.ts";

/**
 * The old versions of a table that may be removed, with the files that only they name: all that no running query reads.
 * Call it while nothing else writes to the table (`StoreTable.alone`). It assumes that no other process uses the table.
 */
export const removableVersions = <T>(table: StoreTable<T>): OptimizeOptions => ({
  cleanupOlderThan: table.oldestReadVersion(),
  // Files that no version names come from writes that failed or were interrupted by a crash.
  deleteUnverified: true,
});
