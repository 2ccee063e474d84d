import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type * as lancedb from "@lancedb/lancedb";
import { limitArenas } from "../../system/libc.ts";
import { setNativeVariable } from "../../system/native-variable.ts";

export type Lance = typeof lancedb;
export type Connection = lancedb.Connection;
export type LanceTable = lancedb.Table;
/** The caches of a connection. */
export type Session = lancedb.Session;

/** LanceDB's own defaults are 6 GB and 1 GB. */
const indexCacheBytes = 256 * 1024 * 1024;
const metadataCacheBytes = 64 * 1024 * 1024;

/**
 * Loads LanceDB and opens the folder of tables. The import is dynamic because the compiled binary first unpacks the
 * native addon and says where it is.
 */
export const connect = async (folder: string): Promise<{ lance: Lance; connection: Connection; session: Session }> => {
  const path = resolve(folder); // a relative path that begins with "db" would be taken for the cloud service
  await mkdir(path, { recursive: true, mode: 0o700 });
  limitArenas();
  // Its warnings tell of its own upkeep, in lines that are no JSON among ours; what goes wrong is thrown.
  if (process.env.LANCEDB_LOG === undefined) setNativeVariable("LANCEDB_LOG", "error");
  const lance = await import("@lancedb/lancedb");
  const session = new lance.Session(BigInt(indexCacheBytes), BigInt(metadataCacheBytes));
  // Among the options: as an argument of its own, as the types have it too, it is left unused.
  return { lance, connection: await lance.connect(path, { session }), session };
};
