import type { FreeSpaceGuard } from "../disk/free-space.ts";
import type { StoreTable } from "./store-table.ts";
import type { TidyRequest, UpkeepWork } from "./upkeep-work.ts";

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

/** How long to wait for queries that still read an old version, and how often to check. */
const maxWaitMs = 15_000;
const checkEveryMs = 250;

interface EraseOptions {
  work: UpkeepWork;
  /** Reserves space for a second copy of the table. @throws ApiError storage_unavailable */
  reserve: FreeSpaceGuard["reserve"];
  /** Called when writes of the table have stopped: rows removed before this moment are erased. */
  onBegin(): void;
  signal: AbortSignal;
}

/**
 * Erases the bytes of removed rows from the disk. LanceDB only marks rows as removed: `optimize` rewrites a file only if
 * a tenth of its rows are, and indexes keep the values. So all rows are rewritten, the indexes rebuilt from them, and the
 * older versions removed. Meanwhile rows are added; removals and updates wait.
 * @returns false if a query still reads an old version: to be tried again
 */
export const eraseRemovedRows = async <T>(table: StoreTable<T>, options: EraseOptions): Promise<boolean> => {
  const { work, signal } = options;
  const { name, indexes } = table.definition;
  const { version, since } = await table.beside(async () => {
    options.onBegin();
    const { totalBytes } = await table.lance.stats();
    const space = await options.reserve(totalBytes, "removals");
    try {
      const erased = await work.erase({ table: name, indexes });
      space.written(totalBytes);
      return erased;
    } finally {
      space.release();
    }
  });
  table.noteVersion(since);
  // Until the new rows are on disk, a power loss may take them: the old ones stay.
  await table.sync();
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    await withOldVersions(table, { mayHoldWrites: true }, async (removable) => {
      const { failure } = await work.tidy({ table: name, ...removable, vectorIndex: null, countUnindexed: false });
      if (failure !== null) throw new Error(failure);
    });
    const versions = await table.lance.listVersions();
    if (versions.every((kept) => kept.version >= version)) return true;
    if (signal.aborted || performance.now() > deadline) return false;
    await Bun.sleep(checkEveryMs);
  }
};
