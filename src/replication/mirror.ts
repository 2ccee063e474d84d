import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inParallel } from "../async/in-parallel.ts";
import { folderOf, sealName, tableIn } from "../store/disk/table-folder.ts";
import { isStorePath } from "../store/snapshots/clone-store.ts";
import type { SharedBucket } from "./bucket.ts";
import type { Head } from "./head.ts";
import { filesOfTable, noteNames, objectOfFile, removeAfterMs, type TableFile } from "./table-files.ts";

/** The head is no longer the newest, and what it names is gone: read it again. */
export class HeadIsOldError extends Error {
  override readonly name = "HeadIsOldError";
}

/** The copy of a shared store on this machine: the tables as one head names them. */
export interface Mirror {
  /**
   * Brings the tables to what the head names. Files that it no longer names stay until `tidy`.
   * @param readAt when the head was read (`performance.now()`)
   * @throws HeadIsOldError, BucketFailure, the signal's reason
   */
  adopt(head: Head, readAt: number, signal: AbortSignal): Promise<void>;
  /** Looks for files that have left the bucket since their table was adopted: `tidy` removes them here too. */
  sweep(signal: AbortSignal): Promise<void>;
  /** Removes what the adopted head does not name: no store reads it any more. */
  tidy(): Promise<void>;
  /** The files of tables that the bucket has, by path, as of the adopted head. */
  inBucket(): ReadonlyMap<string, TableFile>;
  /** See `Replication.fetchFile`. */
  fetchFile(hash: string, path: string): Promise<boolean>;
  /** Brings all uploaded files here. @param removesOthers whether files that the bucket lacks are removed */
  adoptFiles(removesOthers: boolean, signal: AbortSignal): Promise<void>;
}

const maxDownloads = 8;
/** Erased rows leave the bucket within a minute and a half. */
const lastSweepMs = 100_000;

export const openMirror = async (bucket: SharedBucket, dataDir: string): Promise<Mirror> => {
  const here = new Map<string, TableFile>();
  const inBucket = new Map<string, TableFile>();
  /** By table, the object that its manifest came from. */
  const adopted = new Map<string, string>();
  /** By table, when to look what has left the bucket (`performance.now()`): soonest first. */
  const sweepAt = new Map<string, readonly number[]>();
  let stale: string[] = [];
  let staleTables: string[] = [];
  for (const entry of await readdir(join(dataDir, "tables")).catch((): string[] => [])) {
    const table = tableIn(entry);
    if (table === null) continue;
    for (const file of await filesOfTable(dataDir, table)) here.set(file.path, file);
  }

  const listed = async (table: string, signal: AbortSignal): Promise<Map<string, number>> => {
    const files = new Map<string, number>();
    for await (const { name, bytes } of bucket.list(folderOf(table), signal))
      if (isStorePath(name)) files.set(name, bytes);
    return files;
  };

  const fetchTable = async (
    table: string,
    { name, object, bytes }: Head["tables"][string],
    files: ReadonlyMap<string, number>,
    signal: AbortSignal,
  ): Promise<void> => {
    const lacking = [...files].filter(([path, size]) => here.get(path)?.bytes !== size);
    await inParallel(lacking, maxDownloads, async ([path, size]) => {
      if (!(await bucket.download(path, join(dataDir, path), size, signal))) throw new HeadIsOldError(path);
      here.set(path, { path, bytes: size, modifiedAt: Date.now() });
    });
    const versions = join(dataDir, folderOf(table), "_versions");
    if (!(await bucket.download(object, join(versions, name), bytes, signal))) throw new HeadIsOldError(object);
    // LanceDB opens the newest: one of a keeper that lost its place must not be it.
    for (const other of await readdir(versions)) if (other !== name) await rm(join(versions, other), { force: true });
    await rm(join(dataDir, folderOf(table), sealName), { force: true });
    adopted.set(table, object);
    for (const path of files.keys()) inBucket.set(path, here.get(path) ?? { path, bytes: 0, modifiedAt: 0 });
    noteGone(table, files);
    // What the head no longer names is in the bucket for a while yet, and longer where rows are erased without a new head.
    const now = performance.now();
    const [next] = sweepAt.get(table) ?? [];
    sweepAt.set(table, [Math.min(next ?? Number.POSITIVE_INFINITY, now + 1.5 * removeAfterMs), now + lastSweepMs]);
  };

  const noteGone = (table: string, files: ReadonlyMap<string, number>): void => {
    const inTable = `${folderOf(table)}/`;
    for (const path of here.keys()) if (path.startsWith(inTable) && !files.has(path)) stale.push(path);
    for (const path of inBucket.keys()) if (path.startsWith(inTable) && !files.has(path)) inBucket.delete(path);
  };

  const writeNotes = async (notes: Head["notes"]): Promise<void> => {
    for (const name of noteNames) {
      const path = join(dataDir, name);
      const noted = notes[name];
      if (noted === undefined) {
        await rm(path, { force: true });
        continue;
      }
      const bytes = Buffer.from(noted, "base64");
      if ((await readFile(path).catch(() => null))?.equals(bytes)) continue;
      await writeFile(`${path}.part`, bytes, { mode: 0o600 });
      await rename(`${path}.part`, path);
    }
  };

  return {
    async adopt(head, readAt, signal) {
      await mkdir(join(dataDir, "tables"), { recursive: true, mode: 0o700 });
      const changed = Object.entries(head.tables).filter(([table, { object }]) => adopted.get(table) !== object);
      const lists = await inParallel(changed, maxDownloads, ([table]) => listed(table, signal));
      // Later, what the head names may have been removed before the lists were made.
      if (performance.now() - readAt > removeAfterMs / 2) throw new HeadIsOldError("the lists took too long");
      await inParallel(changed, 2, ([table, manifest], at) =>
        fetchTable(table, manifest, lists[at] ?? new Map(), signal),
      );
      const entries = await readdir(join(dataDir, "tables"));
      staleTables = entries.filter((entry) => !((tableIn(entry) ?? entry) in head.tables));
      for (const entry of staleTables) {
        adopted.delete(tableIn(entry) ?? entry);
        for (const path of [...here.keys()]) if (path.startsWith(`tables/${entry}/`)) here.delete(path);
      }
      await writeNotes(head.notes);
    },
    async sweep(signal) {
      for (const [table, [dueAt = 0, ...later]] of sweepAt) {
        if (performance.now() < dueAt) continue;
        if (later.length === 0) sweepAt.delete(table);
        else sweepAt.set(table, later);
        if (adopted.has(table)) noteGone(table, await listed(table, signal));
      }
    },
    async tidy() {
      for (const path of stale) {
        await rm(join(dataDir, path), { force: true });
        here.delete(path);
      }
      stale = [];
      for (const entry of staleTables) await rm(join(dataDir, "tables", entry), { recursive: true, force: true });
      staleTables = [];
    },
    inBucket: () => inBucket,
    fetchFile: (hash, path) => bucket.download(objectOfFile(hash), path, 0, new AbortController().signal),
    async adoptFiles(removesOthers, signal) {
      const wanted = new Map<string, number>();
      for await (const { name, bytes } of bucket.list("files", signal)) if (isStorePath(name)) wanted.set(name, bytes);
      const found = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true }).catch(() => []);
      const present = found
        .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
        .map(({ name }) => objectOfFile(name));
      const known = new Set(present);
      const lacking = [...wanted].filter(([path]) => !known.has(path));
      await inParallel(lacking, maxDownloads, async ([path, bytes]) => {
        await mkdir(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 });
        await bucket.download(path, join(dataDir, path), bytes, signal);
      });
      if (!removesOthers) return;
      for (const path of present) if (!wanted.has(path)) await rm(join(dataDir, path), { force: true });
    },
  };
};
