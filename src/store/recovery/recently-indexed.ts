import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * The system writes data to disk after about half a minute, and each durable write syncs everything before it: files older
 * than this were on disk when the power was lost.
 */
const syncedAfterMs = 5 * 60_000;

/** When the newest file under a folder was written; 0 if there is none. */
const newestIn = async (folder: string): Promise<number> => {
  let newest = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const { mtimeMs } = await stat(join(entry.parentPath, entry.name));
    newest = Math.max(newest, mtimeMs);
  }
  return newest;
};

/**
 * Names of the tables whose indexes were written in the last minutes before the power loss: their files may hold zeros
 * instead of data, and must be rebuilt.
 */
export const recentlyIndexed = async (dataDir: string): Promise<Set<string>> => {
  const tables = (await readdir(join(dataDir, "tables"))).filter((name) => name.endsWith(".lance"));
  const written = await Promise.all(
    tables.map(async (table) => {
      const folder = join(dataDir, "tables", table);
      return {
        name: table.slice(0, -".lance".length),
        any: await newestIn(folder),
        index: await newestIn(join(folder, "_indices")),
      };
    }),
  );
  const lastWriteAt = Math.max(0, ...written.map(({ any }) => any));
  return new Set(written.filter(({ index }) => index > lastWriteAt - syncedAfterMs).map(({ name }) => name));
};
