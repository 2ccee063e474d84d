import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type * as lancedb from "@lancedb/lancedb";
import { setNativeSettings } from "./native-settings.ts";

export type Lance = typeof lancedb;
export type Connection = lancedb.Connection;
export type LanceTable = lancedb.Table;
/** The caches of a connection. */
export type Session = lancedb.Session;

/**
 * The defaults of LanceDB are 6 GB and 1 GB. What upkeep has replaced stays in both until they are full, in the first with
 * its files open, in thousands of small pieces: memory that is freed between them cannot be given back. In 1,800 pieces of
 * the soak's work (`bench/soak.ts`), LanceDB's part grew from 261 to 317 MB with 64 and 16 MB, though what was in use
 * stayed at 160: free memory between it grew from 107 to 195. With half of both, and two arenas (src/system/libc.ts), it
 * stayed at 262, for the same time. Over an hour it still grows: docs/operations.md.
 */
const indexCacheBytes = 32 * 1024 * 1024;
/** A store of 1,000 documents used the same CPU time (45 to 47 s for 750 pieces) with 8, 16 and 64 MB. */
const metadataCacheBytes = 8 * 1024 * 1024;

/**
 * Loads LanceDB and opens the folder of tables. The import is dynamic because the compiled binary has to unpack the
 * native addon first.
 */
export const connect = async (folder: string): Promise<{ lance: Lance; connection: Connection; session: Session }> => {
  const path = resolve(folder); // LanceDB takes a path that begins with "db" for the address of its cloud service
  await mkdir(path, { recursive: true, mode: 0o700 });
  setNativeSettings();
  const lance = await import("@lancedb/lancedb");
  const session = new lance.Session(BigInt(indexCacheBytes), BigInt(metadataCacheBytes));
  // The session must be an option: LanceDB ignores the argument of its own that the types also allow.
  return { lance, connection: await lance.connect(path, { session }), session };
};
