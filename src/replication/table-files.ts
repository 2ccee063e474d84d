import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { inParallel } from "../async/in-parallel.ts";
import { codeOf } from "../domain/errors.ts";
import { folderOf, newestFirst, tableIn } from "../store/disk/table-folder.ts";
import { isStorePath } from "../store/snapshots/clone-store.ts";

/** What of the data directory a shared store has in its bucket, and where. */

/** An uploaded file, in the bucket and in the data directory. */
export const objectOfFile = (hash: string): string => `files/${hash.slice(0, 2)}/${hash}`;

/** Manifests of two keepers may have one name in a table: in the bucket each has a name of its own. */
export const newManifestObject = (table: string): string => `manifests/${table}/${crypto.randomUUID()}`;

/** Small files of the data directory that belong to the store: they are in the head. */
export const noteNames = ["secret", "ages.json", "backups.json", "damage.json", "settings-seen.json"] as const;

/**
 * What is no longer needed stays in the bucket for so long (ms): whoever read the head before still fetches it. Erased rows
 * leave the disk of the keeper within 30 s, and the bucket within the minute.
 */
export const removeAfterMs = 15_000;

/** A file of a table: LanceDB writes it once and never again. */
export interface TableFile {
  /** Relative to the data directory, with `/`, as `tables/texts.lance/data/….lance`. */
  path: string;
  bytes: number;
  modifiedAt: number;
}

const maxStatsAtOnce = 16;

const ifThere = <T>(reading: Promise<T>, otherwise: T): Promise<T> =>
  reading.catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return otherwise;
    throw error;
  });

/** The path of the newest manifest of a table; null: there is none. */
export const newestManifestOf = async (dataDir: string, table: string): Promise<string | null> => {
  const versions = await ifThere(readdir(join(dataDir, folderOf(table), "_versions")), []);
  const [first] = newestFirst(versions);
  return first === undefined ? null : `${folderOf(table)}/_versions/${first}`;
};

/** The newest manifest of each table. */
export const newestManifests = async (dataDir: string): Promise<Map<string, TableFile>> => {
  const newest = new Map<string, TableFile>();
  for (const entry of await ifThere(readdir(join(dataDir, "tables")), [])) {
    const table = tableIn(entry);
    if (table === null) continue;
    const path = await newestManifestOf(dataDir, table);
    const found = path === null ? null : await ifThere(stat(join(dataDir, path)), null);
    if (path !== null && found !== null) newest.set(table, { path, bytes: found.size, modifiedAt: found.mtimeMs });
  }
  return newest;
};

/** The files of a table but its manifests and notes of this machine. @param known paths that need no look again */
export const filesOfTable = async (
  dataDir: string,
  table: string,
  known: ReadonlyMap<string, TableFile> = new Map(),
): Promise<TableFile[]> => {
  const folder = join(dataDir, folderOf(table));
  const entries = await ifThere(readdir(folder, { recursive: true, withFileTypes: true }), []);
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.includes("#")) // "#": LanceDB is still writing it
    .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => /^tables\/[^/]+\/(data|_deletions|_indices|_transactions)\//.test(path) && isStorePath(path));
  const files = await inParallel(paths, maxStatsAtOnce, async (path): Promise<TableFile | null> => {
    const seen = known.get(path);
    if (seen !== undefined) return seen;
    const found = await ifThere(stat(join(dataDir, path)), null);
    return found === null ? null : { path, bytes: found.size, modifiedAt: found.mtimeMs };
  });
  return files.filter((file) => file !== null);
};
