import type { OptimizeOptions } from "@lancedb/lancedb";
import type { LanceTable } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";

/**
 * Runs work that may remove old versions of a table, with the files that only they name: all that no running query
 * reads. Rows are added meanwhile, unless the table may have files that no version names, from writes that failed or that
 * a crash interrupted: those are removed while nothing else is written, because rows being added are such files too.
 * It assumes that no other process uses the table.
 */
export const withOldVersions = async <T, R>(
  table: StoreTable<T>,
  work: (lance: LanceTable, removable: OptimizeOptions) => Promise<R>,
): Promise<R> => {
  if (!table.mayHaveStrayFiles()) {
    return await table.beside((lance) =>
      work(lance, { cleanupOlderThan: table.oldestReadVersion(), deleteUnverified: false }),
    );
  }
  return await table.alone(async () => {
    const done = await work(table.lance, { cleanupOlderThan: table.oldestReadVersion(), deleteUnverified: true });
    table.noteNoStrayFiles();
    return done;
  });
};
