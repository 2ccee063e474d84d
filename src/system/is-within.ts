import { realpath } from "node:fs/promises";
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
