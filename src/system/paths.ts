import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";

/** Where a path leads once links are followed; what does not exist yet stays as it is named. */
const realPath = async (path: string): Promise<string> => {
  const found = await realpath(path).catch(() => null);
  if (found !== null) return found;
  const above = dirname(path);
  return above === path ? path : join(await realPath(above), basename(path));
};

/** Whether a path is a folder, or somewhere in it, also by way of links. Both are absolute, and need not exist. */
export const isWithin = async (folder: string, path: string): Promise<boolean> => {
  const way = relative(await realPath(folder), await realPath(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !way.startsWith(sep));
};

/** A file, folder or link somewhere under a folder. */
interface EntryUnder {
  entry: Dirent;
  path: string;
  /** Name of the folder's own subfolder that it is in; null where it is in the folder itself. */
  top: string | null;
}

/**
 * All that is under a folder; links are not followed. What goes meanwhile, or cannot be read, is left out. Each folder is
 * read in one go: Bun's `opendir` reads it later than it is called, and throws if it has gone by then.
 */
export async function* entriesUnder(folder: string): AsyncGenerator<EntryUnder, void, undefined> {
  const waiting: { path: string; top: string | null }[] = [{ path: folder, top: null }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { top } = next;
    for (const entry of await readdir(next.path, { withFileTypes: true }).catch(() => [])) {
      const path = join(next.path, entry.name);
      if (entry.isDirectory()) waiting.push({ path, top: top ?? entry.name });
      yield { entry, path, top };
    }
  }
}
