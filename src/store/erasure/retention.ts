import type { OptimizeOptions } from "@lancedb/lancedb";
import type { StoreTable } from "../engine/store-table.ts";

/**
 * Which old versions of a table may go, and with them the files that only they name: all that no running query reads.
 * Call it while nothing else writes to the table (`StoreTable.alone`). It rests on one process having the table: where
 * several share it, their reads and unfinished writes would have to be waited for here.
 */
export const removableVersions = <T>(table: StoreTable<T>): OptimizeOptions => ({
  cleanupOlderThan: table.oldestReadVersion(),
  // Files that no version names are of writes that failed or that a crash cut off.
  deleteUnverified: true,
});
