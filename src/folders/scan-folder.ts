import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LeftOut } from "./left-out.ts";
import { errorCode, identityOf, type WalkedFolder, walkFolder } from "./walk-folder.ts";

export interface SeenFile {
  bytes: number;
  /** ISO 8601. */
  modifiedAt: string;
  /** When the file or what the system notes about it changed (epoch ms); programs cannot set it. */
  changedMs: number;
  inode: number;
  /** Path of the place in the folder where the volume is mounted that it lies on; empty: the folder's own volume. */
  volume: string;
}

/** A place where a volume is mounted, or the folder itself. */
interface SeenVolume {
  /** Tells it from another one at the same path, such as an empty mount point; begins with the device. */
  identity: string;
  files: number;
}

export interface FolderScan {
  /** As that of its first volume. */
  identity: string;
  /** By path relative to the folder, with `/`: what `walkFolder` finds, without empty files. */
  files: Map<string, SeenFile>;
  /** By path; the folder itself is the empty one. */
  volumes: Map<string, SeenVolume>;
  /** Relative paths that could not be read: their files are neither present nor gone. */
  unreadable: string[];
  /** Names that are not UTF-8: what they name cannot be read. */
  unnameable: string[];
  /** There are more files than were looked at. */
  isTruncated: boolean;
}

/** The folder itself cannot be read. */
export class FolderUnreachableError extends Error {
  override readonly name = "FolderUnreachableError";
}

/** Files whose size and time are read at once. */
const maxConcurrent = 64;

/**
 * Looks at all files of a folder.
 * @param path absolute; may itself be a link
 * @throws FolderUnreachableError; the signal's reason
 */
export const scanFolder = async (
  path: string,
  maxFiles: number,
  signal: AbortSignal,
  isLeftOut?: LeftOut,
): Promise<FolderScan> => {
  const scan: FolderScan = {
    identity: await identify(path),
    files: new Map(),
    volumes: new Map(),
    unreadable: [],
    unnameable: [],
    isTruncated: false,
  };
  let batch: { path: string; volume: string }[] = [];
  const lookAtBatch = async (): Promise<void> => {
    await Promise.all(batch.map((file) => lookAt(path, file, scan)));
    batch = [];
  };

  const onFolder = ({ path: place, isVolume, identity }: WalkedFolder): void => {
    if (isVolume) scan.volumes.set(place, { identity, files: 0 });
  };
  for await (const entry of walkFolder(path, { isLeftOut, onFolder })) {
    signal.throwIfAborted();
    if (entry.kind === "unreadable") {
      if (entry.path === "") throw new FolderUnreachableError(`it cannot be read (${entry.code})`);
      if (entry.code !== "ENOENT") scan.unreadable.push(entry.path);
      continue;
    }
    if (entry.kind === "unnameable") {
      scan.unnameable.push(entry.path);
      continue;
    }
    if (scan.files.size + batch.length >= maxFiles) await lookAtBatch();
    if (scan.files.size >= maxFiles) {
      scan.isTruncated = true;
      break;
    }
    batch.push(entry);
    if (batch.length >= maxConcurrent) await lookAtBatch();
  }
  await lookAtBatch();
  return scan;
};

const identify = async (path: string): Promise<string> => {
  const found = await stat(path).catch((error: unknown) => {
    const code = errorCode(error);
    throw new FolderUnreachableError(code === "ENOENT" ? "it does not exist" : `it cannot be read (${code})`);
  });
  if (!found.isDirectory()) throw new FolderUnreachableError("it is not a folder");
  return identityOf(found);
};

const lookAt = async (
  folder: string,
  { path, volume }: { path: string; volume: string },
  scan: FolderScan,
): Promise<void> => {
  try {
    const found = await lstat(join(folder, path));
    if (!found.isFile() || found.size === 0) return;
    scan.files.set(path, { ...seenFileOf(found), volume });
    const place = scan.volumes.get(volume);
    if (place !== undefined) place.files += 1;
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT") scan.unreadable.push(path);
    else if (path.includes("\uFFFD")) scan.unnameable.push(path);
  }
};

/** @param found as `stat` gives it */
export const seenFileOf = (found: {
  size: number;
  mtime: Date;
  ctimeMs: number;
  ino: number;
}): Omit<SeenFile, "volume"> => ({
  bytes: found.size,
  modifiedAt: found.mtime.toISOString(),
  changedMs: found.ctimeMs,
  inode: found.ino,
});
