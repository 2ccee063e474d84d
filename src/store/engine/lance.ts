import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type * as lancedb from "@lancedb/lancedb";
import { setNativeSettings } from "./native-settings.ts";

export type Lance = typeof lancedb;
export type Connection = lancedb.Connection;
export type LanceTable = lancedb.Table;
/** The caches of a connection. */
export type Session = lancedb.Session;

/** Sizes of the caches of a connection, as LanceDB counts: half as much again in fact. */
export interface CacheSizes {
  /** Of pieces of indexes. */
  indexBytes: number;
  /** Of descriptions of files. */
  metadataBytes: number;
}

const megabyte = 1024 * 1024;

/**
 * The defaults of LanceDB are 6 GB and 1 GB. What upkeep has replaced stays in both until they are full, in the first with
 * its files open, in thousands of small pieces: memory that is freed between them cannot be given back. A store of 1,000
 * documents used the same CPU time (45 to 47 s for 750 pieces of the soak's work, `bench/soak.ts`) with 8, 16 and 64 MB
 * for descriptions.
 */
const questionCaches: CacheSizes = { indexBytes: 32 * megabyte, metadataBytes: 8 * megabyte };

/**
 * Loads LanceDB and opens the folder of tables. The import is dynamic because the compiled binary has to unpack the
 * native addon first.
 */
export const connect = async (
  folder: string,
  caches: CacheSizes = questionCaches,
): Promise<{ lance: Lance; connection: Connection; session: Session }> => {
  const path = resolve(folder); // LanceDB takes a path that begins with "db" for the address of its cloud service
  await mkdir(path, { recursive: true, mode: 0o700 });
  setNativeSettings();
  const lance = await import("@lancedb/lancedb");
  const session = new lance.Session(BigInt(caches.indexBytes), BigInt(caches.metadataBytes));
  // The session must be an option: LanceDB ignores the argument of its own that the types also allow.
  return { lance, connection: await lance.connect(path, { session }), session };
};

/** Runs work on a second handle of a table, at its newest version. */
export const withNewest = async <R>(
  connection: Connection,
  name: string,
  work: (table: LanceTable) => Promise<R>,
): Promise<R> => {
  const table = await connection.openTable(name);
  try {
    return await work(table);
  } finally {
    table.close();
  }
};
