import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isDataFolder } from "./data-folder.ts";

export interface SeenFile {
  bytes: number;
  /** ISO 8601. */
  modifiedAt: string;
}

export interface FolderScan {
  /** Tells the folder from another one of its name, such as the bare place where nothing is mounted any more. */
  identity: string;
  /** By path relative to the folder, with `/`. Not among them: hidden files, links, empty files, data of Carrel's own. */
  files: Map<string, SeenFile>;
  /** Relative paths that could not be looked at: what lies there is neither present nor gone. */
  unreadable: string[];
  /** There are more files than were looked at. */
  truncated: boolean;
}

/** The folder itself cannot be looked at. */
export class FolderUnreachableError extends Error {
  override readonly name = "FolderUnreachableError";
}

/** Deeper than any real folder; a place mounted within itself ends here. */
const MOST_LEVELS = 100;

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "unknown error";

/**
 * Looks at all files of a folder.
 * @param path absolute; may itself be a link
 * @throws FolderUnreachableError; the signal's reason
 */
export const scanFolder = async (path: string, maxFiles: number, signal: AbortSignal): Promise<FolderScan> => {
  const top = await stat(path).catch((error: unknown) => {
    throw new FolderUnreachableError(
      codeOf(error) === "ENOENT" ? "it does not exist" : `it cannot be read (${codeOf(error)})`,
    );
  });
  if (!top.isDirectory()) throw new FolderUnreachableError("it is no folder");
  const identity = `${top.dev}:${top.ino}:${top.birthtimeMs}`;
  const scan: FolderScan = { identity, files: new Map(), unreadable: [], truncated: false };

  const lookAt = async (folder: string, entry: Dirent): Promise<void> => {
    const relative = folder === "" ? entry.name : `${folder}/${entry.name}`;
    try {
      const found = await lstat(join(path, relative));
      if (!found.isFile() || found.size === 0) return;
      scan.files.set(relative, { bytes: found.size, modifiedAt: found.mtime.toISOString() });
    } catch (error) {
      if (codeOf(error) !== "ENOENT") scan.unreadable.push(relative);
    }
  };

  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined && !scan.truncated; folder = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(join(path, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (folder === "") throw new FolderUnreachableError(`it cannot be read (${codeOf(error)})`);
      if (codeOf(error) !== "ENOENT") scan.unreadable.push(folder);
      return [];
    });
    if (isDataFolder(entries.map(({ name }) => name))) continue;
    const seen = entries.filter(({ name }) => !name.startsWith("."));
    for (const entry of seen) {
      if (!entry.isDirectory()) continue;
      const inner = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (inner.split("/").length <= MOST_LEVELS) folders.push(inner);
      else scan.unreadable.push(inner);
    }
    const files = seen.filter((entry) => entry.isFile());
    const room = maxFiles - scan.files.size;
    if (files.length > room) scan.truncated = true;
    await Promise.all(files.slice(0, room).map((entry) => lookAt(folder, entry)));
  }
  return scan;
};
