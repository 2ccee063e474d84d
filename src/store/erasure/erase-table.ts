import type { StoreTable } from "../engine/store-table.ts";
import type { FreeSpaceGuard } from "../recovery/free-space.ts";
import type { UpkeepWork } from "../upkeep/upkeep-work.ts";
import { withOldVersions } from "./retention.ts";

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
