import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, walkFolder } from "./walk-folder.ts";

export interface SeenFile {
  bytes: number;
  /** ISO 8601. */
  modifiedAt: string;
}

export interface FolderScan {
  /** Tells the folder from another one at the same path, such as an empty mount point. */
  identity: string;
  /** By path relative to the folder, with `/`: what `walkFolder` finds, without empty files. */
  files: Map<string, SeenFile>;
  /** Relative paths that could not be read: their files are neither present nor gone. */
  unreadable: string[];
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
export const scanFolder = async (path: string, maxFiles: number, signal: AbortSignal): Promise<FolderScan> => {
  const scan: FolderScan = { identity: await identify(path), files: new Map(), unreadable: [], isTruncated: false };
  let batch: string[] = [];
  const lookAtBatch = async (): Promise<void> => {
    await Promise.all(batch.map((file) => lookAt(path, file, scan)));
    batch = [];
  };

  for await (const entry of walkFolder(path)) {
    signal.throwIfAborted();
    if (entry.kind === "unreadable") {
      if (entry.path === "") throw new FolderUnreachableError(`it cannot be read (${entry.code})`);
      if (entry.code !== "ENOENT") scan.unreadable.push(entry.path);
      continue;
    }
    if (scan.files.size + batch.length >= maxFiles) await lookAtBatch();
    if (scan.files.size >= maxFiles) {
      scan.isTruncated = true;
      break;
    }
    batch.push(entry.path);
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
  return `${found.dev}:${found.ino}:${found.birthtimeMs}`;
};

const lookAt = async (folder: string, path: string, scan: FolderScan): Promise<void> => {
  try {
    const found = await lstat(join(folder, path));
    if (!found.isFile() || found.size === 0) return;
    scan.files.set(path, { bytes: found.size, modifiedAt: found.mtime.toISOString() });
  } catch (error) {
    if (errorCode(error) !== "ENOENT") scan.unreadable.push(path);
  }
};
