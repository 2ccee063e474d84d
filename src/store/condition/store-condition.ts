import { access, constants, open, statfs } from "node:fs/promises";
import { join } from "node:path";
import { isOutOfFiles } from "../../system/faults.ts";
import type { StoreCondition } from "../contract/keeping.ts";
import type { FreeSpaceGuard } from "../disk/free-space.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { Erasures } from "../erasure/erasures.ts";
import { createFolderSizes } from "./folder-sizes.ts";
import type { OpenedFolder } from "./opened-folder.ts";

interface StoreConditionOptions {
  dataDir: string;
  tables(): readonly StoreTable<unknown>[];
  space: Pick<FreeSpaceGuard, "isShort">;
  folder: Pick<OpenedFolder, "whyGone">;
  erasures: Pick<Erasures, "failing">;
}

/** Parts of the data folder that are counted separately; everything else is `other`. */
const parts = ["tables", "files", "runtime", "quarantine"];

/** Without the id of an index or vector set: the names must not grow in number. */
const kindOf = (name: string): string => name.replace(/_[0-9a-f]{32}$/, "");

const unindexedIn = async ({ lance }: StoreTable<unknown>): Promise<number> => {
  let most = 0;
  for (const { name } of await lance.listIndices())
    most = Math.max(most, (await lance.indexStats(name))?.numUnindexedRows ?? 0);
  return most;
};

export const createStoreCondition = (options: StoreConditionOptions): StoreCondition => {
  const { dataDir, tables, space, folder, erasures } = options;
  const sizes = createFolderSizes(dataDir, parts);
  const sumByKind = async (
    wanted: readonly StoreTable<unknown>[],
    measure: (table: StoreTable<unknown>) => Promise<number>,
  ): Promise<Record<string, number>> => {
    const sums: Record<string, number> = {};
    for (const table of wanted) {
      const kind = kindOf(table.definition.name);
      sums[kind] = (sums[kind] ?? 0) + (await measure(table));
    }
    return sums;
  };

  return {
    rows: () => sumByKind(tables(), ({ lance }) => lance.countRows()),
    unindexedRows() {
      const searched = tables().filter(({ definition }) => /^(snippets|vectors)_/.test(definition.name));
      return sumByKind(searched, unindexedIn);
    },
    bytes: sizes,
    unerased: erasures.failing,
    async disk() {
      try {
        const { bavail, blocks, bsize } = await statfs(dataDir);
        return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
      } catch {
        return null;
      }
    },
    async whyReadOnly() {
      if (folder.whyGone() !== null) return "not_writable";
      if (await space.isShort()) return "disk_full";
      try {
        // A file system that is mounted read-only fails here for root too.
        await access(join(dataDir, "tables"), constants.W_OK);
        await (await open(join(dataDir, "tables"))).close();
        return null;
      } catch (error) {
        return isOutOfFiles(error) ? "too_many_files" : "not_writable";
      }
    },
    whyGone: folder.whyGone,
  };
};
