import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type * as lancedb from "@lancedb/lancedb";
import { keepHeapsSmall } from "../../system/libc.ts";
import { setNativeVariable } from "../../system/native-variable.ts";

export type Lance = typeof lancedb;
export type Connection = lancedb.Connection;
export type LanceTable = lancedb.Table;
/** The caches of a connection. */
export type Session = lancedb.Session;

/** The defaults of LanceDB are 6 GB and 1 GB. */
const indexCacheBytes = 256 * 1024 * 1024;
const metadataCacheBytes = 64 * 1024 * 1024;

/**
 * LanceDB starts one thread for each core, and upkeep occupies each for seconds at a time: questions wait for them. With
 * more threads the system shares the cores between both. While 400 texts of 64 KB were taken in on 2 cores, 1 to 5
 * questions of another tenant took over 400 ms instead of 18 to 20.
 */
const threadCounts = { TOKIO_WORKER_THREADS: "8", LANCE_CPU_THREADS: "4" };

/**
 * What LanceDB's native part reads when it is loaded, so this comes before: on threads, its log, and how the C library
 * divides memory among threads.
 */
export const setBeforeLoading = (): void => {
  keepHeapsSmall();
  // Its warnings are about its own upkeep and not JSON, unlike the log; errors are thrown.
  if (process.env.LANCEDB_LOG === undefined) setNativeVariable("LANCEDB_LOG", "error");
  for (const [name, count] of Object.entries(threadCounts))
    if (process.env[name] === undefined) setNativeVariable(name, count);
};

/**
 * Loads LanceDB and opens the folder of tables. The import is dynamic because the compiled binary has to unpack the
 * native addon first.
 */
export const connect = async (folder: string): Promise<{ lance: Lance; connection: Connection; session: Session }> => {
  const path = resolve(folder); // LanceDB takes a path that begins with "db" for the address of its cloud service
  await mkdir(path, { recursive: true, mode: 0o700 });
  setBeforeLoading();
  const lance = await import("@lancedb/lancedb");
  const session = new lance.Session(BigInt(indexCacheBytes), BigInt(metadataCacheBytes));
  // The session must be an option: LanceDB ignores the argument of its own that the types also allow.
  return { lance, connection: await lance.connect(path, { session }), session };
};
