import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inParallel } from "../async/in-parallel.ts";
import { leaveRestoredNote } from "../audit/notes.ts";
import { syncDisk } from "../store/disk/disk-sync.ts";
import { freeBytesOf, usualMinFreeBytes } from "../store/disk/free-space.ts";
import { DataDirInUseError, lockDataDir, type StoreLock } from "../store/disk/lock.ts";
import { blobIn } from "../store/snapshots/clone-store.ts";
import { loadLibc } from "../system/libc.ts";
import { type ListedFile, type Manifest, manifestName, pieceBytes, updateDigest } from "./format/format.ts";
import { readFileList } from "./manifests.ts";
import { readObject } from "./objects.ts";
import { BackupFailure, type BackupTarget } from "./target/target.ts";

interface RestoreOptions {
  source: BackupTarget;
  manifest: Manifest;
  /** The new data directory: missing or empty. */
  folder: string;
  /** Called with the bytes that were written since the last call. */
  onWritten(bytes: number): void;
  signal: AbortSignal;
}

/** Files are written here first: a folder that holds it is no data directory yet. */
const draftFolder = "restoring";
const maxFilesAtOnce = 8;

/**
 * Writes the files of a backup into an empty folder, which is then a data directory. Nothing but what a store consists of
 * is written (file-list.ts), into files made here: no link is followed. Each piece is compared with its SHA-256. All is on the disk before anything is in its place: an interrupted restore leaves no data directory.
 * @returns uploaded files that were left out, since they have another content than their names say
 * @throws BackupFailure
 */
export const restoreBackup = async (options: RestoreOptions): Promise<readonly string[]> => {
  const { folder } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await assertEmpty(folder);
  const lock = await lockFolder(folder);
  try {
    await assertEmpty(folder); // another restore may have ended since
    await rm(join(folder, draftFolder), { recursive: true, force: true });
    const leftOut = await writeAll(options);
    lock.markRestored();
    return leftOut;
  } catch (error) {
    // The folder is left as it was found.
    if (await isEmpty(folder)) await rm(join(folder, "lock"), { force: true });
    throw error;
  } finally {
    await lock.release(false);
  }
};

/** Until the restore has ended, neither another one nor a server uses the folder. @throws BackupFailure */
const lockFolder = (folder: string): Promise<StoreLock> =>
  lockDataDir(folder, loadLibc()).catch((error: unknown) => {
    if (!(error instanceof DataDirInUseError)) throw error;
    throw new BackupFailure(`${folder} is being restored to, or in use: ${error.message}.`);
  });

const writeAll = async (options: RestoreOptions): Promise<readonly string[]> => {
  const { source, manifest, folder, signal } = options;
  const files = await readFileList(source, manifest, signal);
  if (typeof files === "string") throw await unreadable(source, manifest, files, signal);
  await assertSpace(folder, manifest.bytes);
  const draft = join(folder, draftFolder);
  const libc = loadLibc();
  const flushesAtOnce = libc !== null && libc.syncfsLibrary !== null;
  try {
    for (const path of new Set(files.map((file) => dirname(join(draft, file.path))))) {
      await mkdir(path, { recursive: true, mode: 0o700 });
    }
    const leftOut = await inParallel(files, maxFilesAtOnce, async (file) =>
      (await writeListed(file, draft, flushesAtOnce, options)) ? [] : [file.path],
    );
    const { id, markedAt } = manifest;
    await leaveRestoredNote(draft, "backup.restored", { backup: id, markedAt });
    await syncDisk(folder, libc);
    // Tables last: without them, the files are no data directory.
    const names = (await readdir(draft)).sort((one, other) => Number(one === "tables") - Number(other === "tables"));
    for (const name of names) await rename(join(draft, name), join(folder, name));
    await rm(draft, { recursive: true, force: true });
    await syncDisk(folder, libc);
    return leftOut.flat();
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
};

/** Why a part of a backup cannot be used: retention removes the oldest at any time, and what is gone is not damaged. */
const unreadable = async (
  source: BackupTarget,
  { id }: Manifest,
  why: string,
  signal: AbortSignal,
): Promise<BackupFailure> => {
  const isGone = (await source.read(manifestName(id), signal)) === null;
  const message = isGone
    ? `The backup ${id} was removed while it was restored: a newer one took its place (backup.keep).`
    : `The backup ${id} is damaged: ${why}.`;
  return new BackupFailure(`${message} Nothing was restored. Choose another one with --backup; --list shows them.`);
};

/** What a restore leaves that was interrupted, and what file systems keep at their root. */
const unimportant = [draftFolder, "lock", "lock.pid", "lost+found"];

const isEmpty = async (folder: string): Promise<boolean> =>
  (await readdir(folder)).every((name) => unimportant.includes(name));

/** @throws BackupFailure */
const assertEmpty = async (folder: string): Promise<void> => {
  if (!(await isEmpty(folder)))
    throw new BackupFailure(`${folder} is not empty: a backup is restored into a new or empty folder.`);
};

const assertSpace = async (folder: string, bytes: number): Promise<void> => {
  const free = await freeBytesOf(folder);
  if (free < bytes + usualMinFreeBytes)
    throw new BackupFailure(
      `The disk of ${folder} has too little space: the backup takes ${bytes} bytes, ${free} are free.`,
    );
};

/** @returns whether it was kept: an uploaded file with another content than its name says is removed */
const writeListed = async (
  { path, bytes, pieces }: ListedFile,
  draft: string,
  flushesAtOnce: boolean,
  { source, manifest, onWritten, signal }: RestoreOptions,
): Promise<boolean> => {
  const file = await open(join(draft, path), "wx", 0o600);
  const named = blobIn(path);
  const hash = new Bun.CryptoHasher("sha256");
  try {
    for (const [index, sha256] of pieces.entries()) {
      const piece = await readObject(source, sha256, signal);
      if (piece === null || piece.length !== Math.min(pieceBytes, bytes - index * pieceBytes))
        throw await unreadable(source, manifest, `${path} is missing or different`, signal);
      if (named !== null) await updateDigest(hash, piece);
      await file.writeFile(piece);
      onWritten(piece.length);
    }
    if (!flushesAtOnce) await file.sync();
  } finally {
    await file.close();
  }
  if (named === null || hash.digest("hex") === named) return true;
  await rm(join(draft, path));
  return false;
};
