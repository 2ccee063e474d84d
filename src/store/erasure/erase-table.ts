import type { LanceTable } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { TableOpener } from "../engine/tables.ts";
import type { FreeSpaceGuard } from "../recovery/free-space.ts";
import { withOldVersions } from "./retention.ts";

/** How long to wait for queries that still read an old version, and how often to check. */
const maxWaitMs = 15_000;
const checkEveryMs = 250;

export interface EraseOptions {
  opener: Pick<TableOpener, "rebuildIndexes">;
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
  const { opener, signal } = options;
  let version = 0;
  /** A moment after every commit of this function but the last: older versions may be removed. */
  let since = 0;
  await table.beside(async (lance) => {
    options.onBegin();
    const { totalBytes } = await lance.stats();
    const space = await options.reserve(totalBytes, "tables");
    since = Date.now();
    const beforeCommit = async (): Promise<void> => {
      await Bun.sleep(2); // versions are dated in milliseconds
      since = Date.now();
    };
    try {
      if (await mayHoldRemoved(lance)) {
        await beforeCommit();
        await rewrite(table, lance);
      }
      await opener.rebuildIndexes(table.definition, lance, beforeCommit);
      version = await lance.version();
      space.written(totalBytes);
    } finally {
      space.release();
    }
  });
  table.noteVersion(since);
  // Until the new rows are on disk, a power loss may take them: the old ones stay.
  await table.sync();
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    await withOldVersions(table, (lance, removable) => lance.optimize(removable));
    const versions = await table.lance.listVersions();
    if (versions.every((kept) => kept.version >= version)) return true;
    if (signal.aborted || performance.now() > deadline) return false;
    await Bun.sleep(checkEveryMs);
  }
};

const firstColumn = <T>({ definition }: StoreTable<T>): string => {
  const [field] = definition.schema.fields;
  if (field === undefined) throw new Error("a table without columns");
  return field.name;
};

/** An update that changes no value: it moves every row to a new file. */
const rewrite = async <T>(table: StoreTable<T>, lance: LanceTable): Promise<void> => {
  const column = firstColumn(table);
  await lance.update({ where: "true", valuesSql: { [column]: `\`${column}\`` } });
};

/**
 * Whether the files may hold removed rows. For several files only statistics are known, so they may. The current version
 * does not name a file whose rows are all removed.
 */
const mayHoldRemoved = async (table: LanceTable): Promise<boolean> => {
  const { numRows, fragmentStats } = await table.stats();
  const { numFragments, lengths } = fragmentStats;
  return numRows > 0 && (numFragments > 1 || lengths.max > numRows);
};
