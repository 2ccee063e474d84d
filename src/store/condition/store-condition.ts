import { existsSync, statSync } from "node:fs";
import { access, constants, open, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { pause } from "../../async/waiting.ts";
import { ApiError } from "../../domain/errors.ts";
import { isOutOfFiles } from "../../system/faults.ts";
import { entriesUnder } from "../../system/paths.ts";
import type { StoreCondition } from "../contract/keeping.ts";
import type { FreeSpaceGuard } from "../disk/free-space.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { Erasures } from "../erasure/erasures.ts";

const minAgeMs = 60_000;
/** A figure is kept for this many times as long as it took: the walk takes at most this part of the time. */
const agePerWalk = 200;
/** Files that are counted one by one; a folder with more is counted up to here. */
const maxFiles = 2_000_000;
/** Nobody waits longer for a walk than this: until its end the last figures are given. */
const maxWaitMs = 1_000;

/**
 * Sizes of the parts of a folder.
 * @param parts its folders that are counted separately
 * @returns bytes by part, and `other`, as they were measured last; empty while the first walk takes long
 */
export const createFolderSizes = (
  folder: string,
  parts: readonly string[],
): (() => Promise<Record<string, number>>) => {
  let measuring: Promise<void> | null = null;
  let measured: Record<string, number> = {};
  let keptUntil = Number.NEGATIVE_INFINITY;

  const measure = async (): Promise<void> => {
    const began = performance.now();
    const sizes: Record<string, number> = Object.fromEntries([...parts, "other"].map((part) => [part, 0]));
    let files = 0;
    for await (const { entry, path, top } of entriesUnder(folder)) {
      if (files >= maxFiles) break;
      if (!entry.isFile()) continue;
      files += 1;
      const part = top !== null && parts.includes(top) ? top : "other";
      sizes[part] = (sizes[part] ?? 0) + ((await stat(path).catch(() => null))?.size ?? 0);
    }
    const now = performance.now();
    keptUntil = now + Math.max(minAgeMs, agePerWalk * (now - began));
    measured = sizes;
  };

  return async () => {
    if (measuring === null && performance.now() > keptUntil)
      measuring = measure().finally(() => {
        measuring = null;
      });
    if (measuring !== null) {
      const waited = new AbortController();
      await Promise.race([measuring, pause(maxWaitMs, waited.signal)]).finally(() => waited.abort());
    }
    return measured;
  };
};

/** Whether the data directory is still the one that the store was opened in. */
export interface OpenedFolder {
  /** The error storage_unavailable where it is not; null where it is. */
  whyGone(): ApiError | null;
  /** @throws what `whyGone` returns */
  check(): void;
}

/**
 * Remembers the data directory, which holds the lock and `tables/`. LanceDB makes missing folders without a word: where
 * the directory was moved, deleted or its disk unmounted, writes would go to a new one in its place and be lost. Only
 * where both are missing or others is it gone, because some file systems give a folder another number in time.
 */
export const rememberFolder = (dataDir: string): OpenedFolder => {
  const identify = (): string => {
    const found = statSync(join(dataDir, "tables"), { throwIfNoEntry: false });
    return found === undefined ? "" : `${found.dev}:${found.ino}`;
  };
  const opened = identify();
  const isThere = (): boolean => {
    try {
      return identify() === opened || existsSync(join(dataDir, "lock"));
    } catch {
      return false;
    }
  };
  const whyGone = (): ApiError | null =>
    isThere()
      ? null
      : new ApiError(
          "storage_unavailable",
          "the data directory is not where it was when the server started: it was moved, deleted, or its disk was unmounted. Put it back; where it is another copy, start the server again",
        );
  return {
    whyGone,
    check() {
      const gone = whyGone();
      if (gone !== null) throw gone;
    },
  };
};

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
