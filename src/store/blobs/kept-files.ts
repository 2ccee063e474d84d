import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { inParallel } from "../../async/in-parallel.ts";
import { isHash } from "./file-hash.ts";

/** Files stay while somebody copies them, whatever is deleted meanwhile. */
interface KeptFiles {
  /** Notes a file that would be removed now. @returns whether it stays */
  keep(hash: string): boolean;
  /** From now on files stay. @returns ends that, and removes what was noted unless somebody else keeps files too */
  begin(): () => Promise<void>;
}

const removedAtOnce = 4;

/** @param remove removes a file that was noted, unless it is needed again by now */
export const createKeptFiles = (remove: (hash: string) => Promise<void>): KeptFiles => {
  let keepers = 0;
  const noted = new Set<string>();
  return {
    keep(hash) {
      if (keepers === 0) return false;
      noted.add(hash);
      return true;
    },
    begin() {
      keepers += 1;
      let isEnded = false;
      return async () => {
        if (isEnded) return;
        isEnded = true;
        keepers -= 1;
        if (keepers > 0) return;
        const hashes = [...noted];
        noted.clear();
        await inParallel(hashes, removedAtOnce, remove);
      };
    },
  };
};

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
