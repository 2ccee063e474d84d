import type { StoreTable } from "../engine/store-table.ts";
import type { TidyRequest } from "../upkeep/upkeep-work.ts";

/** What may be removed from the disk. */
type Removable = Pick<TidyRequest, "removeBefore" | "removeUnnamed">;

/**
 * Runs work that may remove old versions of a table, with the files that only they name: all that no running query
 * reads. Rows are added meanwhile, unless the table may have files that no version names, from writes that failed or that
 * a crash interrupted: those are removed while nothing else is written, because rows being added are such files too.
 * It assumes that no other process uses the table but the one that does the upkeep.
 * @param mayHoldWrites false: rows are added meanwhile in any case, and such files stay until the next call that may
 */
export const withOldVersions = async <T, R>(
  table: StoreTable<T>,
  { mayHoldWrites }: { mayHoldWrites: boolean },
  work: (removable: Removable) => Promise<R>,
): Promise<R> => {
  const removable = (removeUnnamed: boolean): Removable => ({
    removeBefore: table.oldestReadVersion().getTime(),
    removeUnnamed,
  });
  if (!mayHoldWrites || !table.mayHaveStrayFiles()) return await table.beside(() => work(removable(false)));
  return await table.alone(async () => {
    const done = await work(removable(true));
    table.noteNoStrayFiles();
    return done;
  });
};
