import type { LanceTable } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { TableOpener } from "../engine/tables.ts";
import type { FreeSpaceGuard } from "../recovery/free-space.ts";
import { removableVersions } from "./retention.ts";

/** How long queries that still read an old version are waited for, and how often it is looked. */
const mostWaitMs = 15_000;
const lookEveryMs = 250;

export interface EraseOptions {
  opener: Pick<TableOpener, "openBeside" | "rebuildIndexes">;
  /** Sets space aside for a second copy of the table. @throws ApiError storage_unavailable */
  reserve: FreeSpaceGuard["reserve"];
  /** Told when writes of the table have stopped: what was removed before this moment is erased. */
  onBegin(): void;
  signal: AbortSignal;
}

/**
 * Takes the bytes of removed rows from the disk. LanceDB only marks rows as removed: `optimize` rewrites a file when a
 * tenth of its rows are, and its indexes keep the values. So all rows are written anew and the indexes made from them,
 * then the versions before go. Writes wait meanwhile; reads go on, with the last version and its indexes.
 * @returns false where a query still reads an old version: to be tried again
 */
export const eraseRemovedRows = async <T>(table: StoreTable<T>, options: EraseOptions): Promise<boolean> => {
  const { opener, signal } = options;
  let version = 0;
  await table.alone(async () => {
    options.onBegin();
    const beside = await opener.openBeside(table.definition.name);
    const { totalBytes } = await beside.stats();
    const space = await options.reserve(totalBytes, "tables").catch((error: unknown) => {
      beside.close();
      throw error;
    });
    /** A moment after every commit but the last: what only those versions name may go. */
    let since = Date.now();
    const beforeCommit = async (): Promise<void> => {
      await Bun.sleep(2); // versions bear their time in milliseconds
      since = Date.now();
    };
    try {
      if (await mayHoldRemoved(beside)) {
        await beforeCommit();
        await rewrite(table, beside);
      }
      await opener.rebuildIndexes(table.definition, beside, beforeCommit);
      version = await beside.version();
      space.written(totalBytes);
    } finally {
      space.release();
      beside.close();
      await table.lance.checkoutLatest();
      table.noteVersion(since);
    }
  });
  // A power loss may take the new rows while they are not on disk: the old ones stay until then.
  await table.sync();
  const deadline = performance.now() + mostWaitMs;
  for (;;) {
    await table.alone(() => table.lance.optimize(removableVersions(table)).then(() => undefined));
    const versions = await table.lance.listVersions();
    if (versions.every((kept) => kept.version >= version)) return true;
    if (signal.aborted || performance.now() > deadline) return false;
    await Bun.sleep(lookEveryMs);
  }
};

const firstColumn = <T>({ definition }: StoreTable<T>): string => {
  const [field] = definition.schema.fields;
  if (field === undefined) throw new Error("a table without columns");
  return field.name;
};

/** An update that changes nothing: each row moves to a new file, and the files before are left behind. */
const rewrite = async <T>(table: StoreTable<T>, beside: LanceTable): Promise<void> => {
  const column = firstColumn(table);
  await beside.update({ where: "true", valuesSql: { [column]: `\`${column}\`` } });
};

/** Files whose rows are all removed are not named by the current version; of several the lengths are known on average only. */
const mayHoldRemoved = async (table: LanceTable): Promise<boolean> => {
  const { numRows, fragmentStats } = await table.stats();
  const { numFragments, lengths } = fragmentStats;
  return numRows > 0 && (numFragments > 1 || lengths.max > numRows);
};
