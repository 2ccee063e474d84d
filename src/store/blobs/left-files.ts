import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isHash } from "./file-hash.ts";

/** Removes files that were not finished when the process ended. @returns how many */
export const removeDrafts = async (drafts: string): Promise<number> => {
  const names = await readdir(drafts);
  for (const name of names) await unlink(join(drafts, name));
  return names.length;
};

/** Removes the files that no document names. @returns how many */
export const removeUnnamed = async (folder: string, referred: ReadonlySet<string>): Promise<number> => {
  let removed = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !/^[0-9a-f]{2}$/.test(entry.name)) continue;
    for (const name of await readdir(join(folder, entry.name))) {
      if (!isHash(name) || referred.has(name)) continue;
      await unlink(join(folder, entry.name, name));
      removed += 1;
    }
  }
  return removed;
};
