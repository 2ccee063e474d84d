import { mkdir, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type * as lancedb from "@lancedb/lancedb";
import { memoryLimit } from "../../system/memory-limit.ts";
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

/** Where no questions are asked. */
const smallCaches: CacheSizes = { indexBytes: 32 * megabyte, metadataBytes: 8 * megabyte };

/**
 * The caches for questions: the indexes that are there and room for as much again, for what upkeep has replaced stays until
 * the cache is full. Where the cache does not hold what each question reads, the question reads it again: a million snippets,
 * whose indexes have 620 MB, took 45 ms for the text with 32 MB and 18 ms with all of it (bench/scale/questions.ts).
 * The defaults of LanceDB are 6 GB and 1 GB: pieces of old indexes would fill them, in thousands of small allocations that
 * cannot be given back.
 * @param folder of the tables
 * @param cacheBytes of the settings; null: a quarter of the memory at most
 */
export const questionCaches = async (folder: string, cacheBytes: number | null): Promise<CacheSizes> => {
  const indexBytes = cacheBytes ?? Math.min(32 * megabyte + 2 * (await bytesOfIndexes(folder)), memoryLimit() / 4);
  return { indexBytes: Math.round(indexBytes), metadataBytes: Math.round(8 * megabyte + indexBytes / 16) };
};

const bytesOfIndexes = async (folder: string): Promise<number> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const ofIndexes = files.filter((file) => file.isFile() && /[\\/]_indices[\\/]/.test(file.parentPath));
  const sizes = ofIndexes.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => ({ size: 0 })));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
};

/**
 * Loads LanceDB and opens the folder of tables. The import is dynamic because the compiled binary has to unpack the
 * native addon first.
 */
export const connect = async (
  folder: string,
  caches: CacheSizes = smallCaches,
): Promise<{ lance: Lance; connection: Connection; session: Session }> => {
  const path = resolve(folder); // LanceDB takes a path that begins with "db" for the address of its cloud service
  await mkdir(path, { recursive: true, mode: 0o700 });
  setNativeSettings();
  const lance = await import("@lancedb/lancedb");
  const session = new lance.Session(BigInt(caches.indexBytes), BigInt(caches.metadataBytes));
  // The session must be an option: LanceDB ignores the argument of its own that the types also allow.
  return { lance, connection: await lance.connect(path, { session }), session };
};

/** What LanceDB says, without the traces that its errors carry behind the first sentence. */
export const withoutTraces = (message: string): string => message.split(/\sCaused by:|, \/\S+\.rs:/)[0] ?? "";

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
