import type { Dirent } from "node:fs";
import { readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

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

/** The file system that holds a path. */
export interface Mount {
  point: string;
  /** Such as `ext4`, `nfs4`, `overlay`. */
  type: string;
  options: ReadonlySet<string>;
}

/** Octal escapes, as the kernel writes spaces and the like. */
const withoutEscapes = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** @param table text of /proc/self/mountinfo (proc(5)) */
export const mountsIn = (table: string): Mount[] =>
  table.split("\n").flatMap((line) => {
    const [before = "", after] = line.split(" - ");
    if (after === undefined) return [];
    const fields = before.split(" ");
    const [type = "", , superOptions = ""] = after.split(" ");
    const options = new Set([...(fields[5] ?? "").split(","), ...superOptions.split(",")]);
    return [{ point: withoutEscapes(fields[4] ?? ""), type, options }];
  });

/** The mount that holds a path: the deepest; of several at one point, the last one covers the others. */
export const mountOf = (mounts: readonly Mount[], path: string): Mount | null => {
  let found: Mount | null = null;
  for (const mount of mounts) {
    const holds = mount.point === "/" || path === mount.point || path.startsWith(`${mount.point}/`);
    if (holds && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  }
  return found;
};

/** @returns the folder, or its nearest ancestor that exists, without links */
export const nearestExisting = async (folder: string): Promise<string> => {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const real = await realpath(path).catch(() => null);
    if (real !== null || path === dirname(path)) return real ?? path;
  }
};

/** The file system that holds a folder, or will hold it once it is made; null where the system does not tell. */
export const fileSystemOf = async (folder: string): Promise<Mount | null> => {
  const table = await readFile("/proc/self/mountinfo", "utf8").catch(() => null);
  return table === null ? null : mountOf(mountsIn(table), await nearestExisting(folder));
};
