import { access, constants, copyFile, link, mkdir, readdir, rename, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Where broken parts of the data directory are moved: nothing is deleted for being broken. Each start has a folder of
 * its own in it, laid out as the data directory is, so that what was moved can be moved back.
 */
export interface Quarantine {
  /** The folder of this start; it is made when it is needed. */
  readonly folder: string;
  /** Whether anything was put there. */
  isUsed(): boolean;
  /**
   * Moves a file or folder there. `path`: relative to the data directory, as everywhere here; `under`: a folder in the
   * quarantine's.
   */
  moveIn(path: string, under?: string): Promise<void>;
  moveBack(path: string): Promise<void>;
  /** Keeps a second name of every file of a folder, so that it stays when the first is removed. */
  linkIn(path: string, under?: string): Promise<void>;
  /** Whether the operator put something aside by hand (`quarantine/NAME`): his word that it may be done without. */
  isPutAside(name: string): Promise<boolean>;
  /** The word is good once. */
  takePutAside(name: string): Promise<void>;
}

export const createQuarantine = (dataDir: string, now = new Date()): Quarantine => {
  const root = join(dataDir, "quarantine");
  const folder = join(root, now.toISOString().replaceAll(":", "-"));

  let used = false;

  const move = async (from: string, to: string): Promise<void> => {
    used = true;
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rename(from, to);
  };

  return {
    folder,
    isUsed: () => used,
    moveIn: (path, under = "") => move(join(dataDir, path), join(folder, under, path)),
    async moveBack(path) {
      await move(join(folder, path), join(dataDir, path));
      try {
        for (let left = dirname(join(folder, path)); left !== root; left = dirname(left)) await rmdir(left);
      } catch {
        // More is in there.
      }
    },
    async linkIn(path, under = "") {
      const entries = await readdir(join(dataDir, path), { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        const from = join(entry.parentPath, entry.name);
        const to = join(folder, under, from.slice(dataDir.length));
        await mkdir(dirname(to), { recursive: true, mode: 0o700 });
        // Not every file system has links.
        await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL));
      }
    },
    isPutAside: (name) =>
      access(join(root, name)).then(
        () => true,
        () => false,
      ),
    takePutAside: (name) => move(join(root, name), join(folder, "put-aside", name)),
  };
};
