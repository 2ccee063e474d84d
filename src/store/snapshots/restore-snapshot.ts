import { access, mkdir, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { loadLibc } from "../../system/libc.ts";
import { syncDisk } from "../disk/disk-sync.ts";
import { lockDataDir } from "../disk/lock.ts";
import { cloneStore, planClone, storeParts } from "./clone-store.ts";
import { closeSnapshot, listSnapshots, type Snapshot, snapshotsFolder } from "./snapshots.ts";

/** There is nothing to go back to. */
export class NoSnapshotError extends Error {
  override readonly name = "NoSnapshotError";
}

/** Written with the clone: what the change is to do. */
interface Mark {
  /** Where the store goes, relative to the data directory. */
  setAside: string;
  /** Name of the snapshot, and the parts of the store that it holds; missing where an earlier program wrote the mark. */
  snapshot?: string;
  parts?: readonly string[];
}

/** The clone of the snapshot that is about to take the place of the store. */
const restoringFolder = (dataDir: string): string => join(dataDir, "restoring");
/** Written when the clone is complete: from then on the change is finished, by the next start if need be. */
const markOf = (dataDir: string): string => join(restoringFolder(dataDir), "restore.json");

/** Nobody's mark moves the store out of its directory. */
const isSetAside = (folder: unknown): boolean =>
  typeof folder === "string" && /^quarantine[\\/][0-9A-Za-z][0-9A-Za-z.-]*$/.test(folder);

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Finishes a restore that was interrupted, or removes what it had begun. Call with the lock held.
 * @returns true if the store was changed: it is to be reconciled
 */
export const finishRestore = async (dataDir: string): Promise<boolean> => {
  const restoring = restoringFolder(dataDir);
  if (!(await exists(restoring))) return false;
  const mark = await readFile(markOf(dataDir), "utf8").catch(() => null);
  if (mark === null) {
    await rm(restoring, { recursive: true });
    return false;
  }
  const { snapshot, parts = storeParts, ...to } = JSON.parse(mark) as Mark;
  if (!isSetAside(to.setAside))
    throw new Error(`${markOf(dataDir)} was not written by Carrel: it moves the store to another place. Delete it.`);
  const setAside = join(dataDir, to.setAside);
  await mkdir(setAside, { recursive: true, mode: 0o700 });
  for (const part of storeParts) {
    const isDone = parts.includes(part) && !(await exists(join(restoring, part)));
    if (isDone) continue;
    if (await exists(join(dataDir, part))) await rename(join(dataDir, part), join(setAside, part));
    if (parts.includes(part)) await rename(join(restoring, part), join(dataDir, part));
  }
  await syncDisk(dataDir, loadLibc());
  // An older program may store more now: the next upgrade is not the rest of the one before.
  for (const found of await listSnapshots(dataDir)) if (found.name === snapshot) await closeSnapshot(dataDir, found);
  await rm(restoring, { recursive: true });
  return true;
};

/** Clones the snapshot, and makes room for the store. A disk that is too full for it is left as it was. */
const prepare = async (
  dataDir: string,
  from: string,
  { setAside, snapshot }: Required<Omit<Mark, "parts">>,
): Promise<void> => {
  const restoring = restoringFolder(dataDir);
  try {
    await mkdir(restoring, { mode: 0o700 });
    await cloneStore(await planClone(from, restoring), from, restoring);
    await mkdir(join(dataDir, setAside), { recursive: true, mode: 0o700 });
    await syncDisk(restoring, loadLibc());
    const parts = (await readdir(restoring)).filter((name) => storeParts.some((part) => part === name));
    await Bun.write(`${markOf(dataDir)}.unfinished`, JSON.stringify({ setAside, snapshot, parts } satisfies Mark));
    await syncDisk(restoring, loadLibc());
  } catch (error) {
    await rm(restoring, { recursive: true, force: true });
    await rmdir(join(dataDir, setAside)).catch(() => undefined);
    throw error;
  }
  await rename(`${markOf(dataDir)}.unfinished`, markOf(dataDir));
};

interface Restored {
  snapshot: Snapshot;
  /** Folder with the store as it was until now. */
  setAside: string;
}

/**
 * Puts the store back to the state before the last upgrade. What it holds now is moved to the quarantine; the snapshot
 * stays. An interruption at any moment leaves the one or the other state, which the next start makes whole.
 * @throws NoSnapshotError; DataDirInUseError if a server or command has the directory open
 */
export const restoreSnapshot = async (dataDir: string): Promise<Restored> => {
  const lock = await lockDataDir(dataDir, loadLibc());
  try {
    await finishRestore(dataDir);
    const [snapshot] = await listSnapshots(dataDir);
    if (snapshot === undefined)
      throw new NoSnapshotError(
        `${dataDir} holds no snapshot: one is kept when a newer Carrel upgrades the data. Restore a backup instead.`,
      );
    const from = join(snapshotsFolder(dataDir), snapshot.name);
    const setAside = join("quarantine", `${new Date().toISOString().replaceAll(":", "-")}-before-restore`);
    await prepare(dataDir, from, { setAside, snapshot: snapshot.name });
    await finishRestore(dataDir);
    return { snapshot, setAside: join(dataDir, setAside) };
  } finally {
    // Not clean: the store was in use when the snapshot was taken, and the next start is to look it over.
    await lock.release(false);
  }
};
