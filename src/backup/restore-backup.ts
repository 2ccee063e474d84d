import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inParallel } from "../async/in-parallel.ts";
import { leaveRestoredNote } from "../audit/restored-note.ts";
import { syncDisk } from "../store/recovery/disk-sync.ts";
import { freeBytesOf, usualMinFreeBytes } from "../store/recovery/free-space.ts";
import { restoredMark } from "../store/recovery/lock.ts";
import { loadLibc } from "../system/libc.ts";
import { BackupFailure } from "./backup-failure.ts";
import type { ListedFile } from "./format/file-list.ts";
import { type Manifest, pieceBytes } from "./format/manifest.ts";
import { manifestName } from "./format/names.ts";
import { readFileList } from "./manifests.ts";
import { readObject } from "./objects.ts";
import type { BackupTarget } from "./target/target.ts";

export interface RestoreOptions {
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
 * Writes the files of a backup into an empty folder, which is then a data directory. Each piece is compared with its
 * SHA-256. All is on the disk before anything is in its place: an interrupted restore leaves no data directory.
 * @throws BackupFailure
 */
export const restoreBackup = async (options: RestoreOptions): Promise<void> => {
  const { source, manifest, folder, signal } = options;
  await makeEmpty(folder);
  const files = await readFileList(source, manifest, signal);
  if (files === null) throw await unreadable(source, manifest, "its list of files", signal);
  await assertSpace(folder, manifest.bytes);
  const draft = join(folder, draftFolder);
  const libc = loadLibc();
  const flushesAtOnce = libc !== null && libc.syncfsLibrary !== null;
  try {
    for (const path of new Set(files.map((file) => dirname(join(draft, file.path))))) {
      await mkdir(path, { recursive: true, mode: 0o700 });
    }
    await inParallel(files, maxFilesAtOnce, (file) => writeListed(file, draft, flushesAtOnce, options));
    await writeFile(join(draft, "lock"), restoredMark, { mode: 0o600, flush: true });
    const { id, markedAt } = manifest;
    await leaveRestoredNote(draft, "backup.restored", { backup: id, markedAt });
    await syncDisk(folder, libc);
    // Tables last: without them, the files are no data directory.
    const names = (await readdir(draft)).sort((one, other) => Number(one === "tables") - Number(other === "tables"));
    for (const name of names) await rename(join(draft, name), join(folder, name));
    await rm(draft, { recursive: true, force: true });
    await syncDisk(folder, libc);
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
};

/** Why a part of a backup cannot be used: retention removes the oldest at any time, and what is gone is not damaged. */
const unreadable = async (
  source: BackupTarget,
  { id }: Manifest,
  what: string,
  signal: AbortSignal,
): Promise<BackupFailure> => {
  const isGone = (await source.read(manifestName(id), signal)) === null;
  const why = isGone
    ? `The backup ${id} was removed while it was restored: a newer one took its place (backup.keep).`
    : `The backup ${id} is damaged: ${what} is missing or different.`;
  return new BackupFailure(`${why} Nothing was restored. Choose another one with --backup; --list shows them.`);
};

/** @throws BackupFailure if the folder holds anything but what an interrupted restore left, which is removed */
const makeEmpty = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  if (names.some((name) => name !== draftFolder && name !== "lost+found"))
    throw new BackupFailure(`${folder} is not empty: a backup is restored into a new or empty folder.`);
  await rm(join(folder, draftFolder), { recursive: true, force: true });
};

const assertSpace = async (folder: string, bytes: number): Promise<void> => {
  const free = await freeBytesOf(folder);
  if (free < bytes + usualMinFreeBytes)
    throw new BackupFailure(
      `The disk of ${folder} has too little space: the backup takes ${bytes} bytes, ${free} are free.`,
    );
};

const writeListed = async (
  { path, bytes, pieces }: ListedFile,
  draft: string,
  flushesAtOnce: boolean,
  { source, manifest, onWritten, signal }: RestoreOptions,
): Promise<void> => {
  const file = await open(join(draft, path), "wx", 0o600);
  try {
    for (const [index, sha256] of pieces.entries()) {
      const piece = await readObject(source, sha256, signal);
      if (piece === null || piece.length !== Math.min(pieceBytes, bytes - index * pieceBytes))
        throw await unreadable(source, manifest, path, signal);
      await file.writeFile(piece);
      onWritten(piece.length);
    }
    if (!flushesAtOnce) await file.sync();
  } finally {
    await file.close();
  }
};
