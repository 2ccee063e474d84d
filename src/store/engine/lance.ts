import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type * as lancedb from "@lancedb/lancedb";
import { setNativeSettings } from "./native-settings.ts";

export type Lance = typeof lancedb;
export type Connection = lancedb.Connection;
export type LanceTable = lancedb.Table;
/** The caches of a connection. */
export type Session = lancedb.Session;

/** The defaults of LanceDB are 6 GB and 1 GB. */
const indexCacheBytes = 256 * 1024 * 1024;
const metadataCacheBytes = 64 * 1024 * 1024;

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
