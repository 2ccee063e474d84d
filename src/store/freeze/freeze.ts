import { randomUUID } from "node:crypto";
import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { BlobFolder } from "../blobs/blob-folder.ts";
import type { FrozenFile, FrozenStore } from "../contract/keeping.ts";
import { documentRows } from "../documents/document-rows.ts";
import type { Engine } from "../engine/maintained-tables.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { createTableReads, unnotedDamage } from "../engine/table-reads.ts";
import { keepTable } from "../snapshots/clone-store.ts";

type Table = StoreTable<unknown>;

/**
 * Runs work while nothing is written to any table. Writes wait in their queues, for as long as the longest commit that
 * runs, and the work.
 * @param tables those that are open now: it is asked again, since one may be opened meanwhile
 * @param last its queue is stopped after all others, since their commits may wait for it
 */
export const whileStill = async <R>(
  tables: () => readonly Table[],
  last: Table,
  work: (still: readonly Table[]) => Promise<R>,
): Promise<R> => {
  const release = Promise.withResolvers<void>();
  const stopped = new Map<Table, Promise<void>>();
  /** Resolves when the table's queue has stopped; it continues after the release. */
  const stop = (table: Table): Promise<void> => {
    const entered = Promise.withResolvers<void>();
    const held = table.alone(() => {
      entered.resolve();
      return release.promise;
    });
    held.catch(entered.reject);
    stopped.set(table, held);
    return entered.promise;
  };
  try {
    // A table is opened before a row names it: once all others have stopped, no row can name a new one.
    for (;;) {
      const next = tables().filter((table) => !stopped.has(table));
      if (next.length === 0) break;
      await Promise.all(next.map(stop));
    }
    await stop(last);
    return await work([...stopped.keys()]);
  } finally {
    release.resolve();
    await Promise.allSettled(stopped.values());
  }
};

const folderName = "frozen";

/** Removes what a process that was killed during a backup left. */
export const removeFrozen = (dataDir: string): Promise<void> =>
  rm(join(dataDir, folderName), { recursive: true, force: true });

interface FreezeOptions {
  dataDir: string;
  engine: Pick<Engine, "tables" | "meta" | "upkeepGate" | "opener">;
  blobs: Pick<BlobFolder, "keepAll">;
}

/** The documents of one version: how many, and which files they name. */
const readDocuments = async (
  opener: Engine["opener"],
  version: number,
): Promise<{ documents: number; hashes: Set<string> }> => {
  const table = await opener.openVersion(documentRows.name, version);
  try {
    const reads = createTableReads(documentRows, table, { track: (read) => read() }, unnotedDamage);
    const hashes = new Set<string>();
    await reads.visit(["blobHash"], "blobHash IS NOT NULL", (row) => {
      hashes.add(row.string("blobHash"));
      return true;
    });
    return { documents: await table.countRows(), hashes };
  } finally {
    table.close();
  }
};

/**
 * Keeps the files of the store as they are at one moment. Writes stop for some milliseconds, while the version of each
 * table is noted; upkeep and erasure stop until the files of these versions are linked; files of documents stay until
 * the release.
 */
export const freeze = async ({ dataDir, engine, blobs }: FreezeOptions): Promise<FrozenStore> => {
  const keptIn = join(dataDir, folderName, randomUUID());
  const { tables, meta, opener, upkeepGate } = engine;
  const endKeeping = blobs.keepAll();
  const release = async (): Promise<void> => {
    await endKeeping();
    await rm(keptIn, { recursive: true, force: true });
    await rmdir(join(dataDir, folderName)).catch(() => undefined); // another backup may have its files there
  };
  const versionOf = async (table: StoreTable<unknown>): Promise<[string, number]> => [
    table.definition.name,
    await table.lance.version(),
  ];
  try {
    return await upkeepGate.exclusive(async () => {
      const { markedAt, versions } = await whileStill(tables.list, meta as StoreTable<unknown>, async (still) => ({
        markedAt: Date.now(),
        versions: new Map(await Promise.all(still.map(versionOf))),
      }));
      await mkdir(keptIn, { recursive: true, mode: 0o700 });
      const files: FrozenFile[] = [];
      for (const [name, version] of versions) files.push(...(await keepTable(dataDir, keptIn, name, version)));
      const { documents, hashes } = await readDocuments(opener, versions.get(documentRows.name) ?? 0);
      for (const sha256 of hashes) {
        const path = `files/${sha256.slice(0, 2)}/${sha256}`;
        files.push({ path, source: join(dataDir, path), sha256, isNameUnique: true });
      }
      files.push({ path: "secret", source: join(dataDir, "secret"), sha256: null, isNameUnique: false });
      return { markedAt, documents, files, release };
    });
  } catch (error) {
    await release();
    throw error;
  }
};
