import { access, constants, copyFile, link, mkdir, readdir, rename, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Where broken parts of the data directory are moved: nothing broken is deleted. Each start has a folder of its own in
 * it, laid out as the data directory is, so that its parts can be moved back.
 */
export interface Quarantine {
  /** The folder of this start, created when it is needed. */
  readonly folder: string;
  /** Whether anything was moved there. */
  isUsed(): boolean;
  /**
   * Moves a file or folder there.
   * @param path relative to the data directory, as for every method
   * @param under a folder within the folder of this start
   */
  moveIn(path: string, under?: string): Promise<void>;
  moveBack(path: string): Promise<void>;
  /** Links every file of a folder there, so that its content stays when the original is removed. */
  linkIn(path: string, under?: string): Promise<void>;
  /** Whether the operator moved something to `quarantine/NAME`, to start without it. */
  isSetAsideByHand(name: string): Promise<boolean>;
  /** Moves it on, so that it counts for this start only. */
  acceptSetAside(name: string): Promise<void>;
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
        // A folder that is not empty stays.
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
    isSetAsideByHand: (name) =>
      access(join(root, name)).then(
        () => true,
        () => false,
      ),
    acceptSetAside: (name) => move(join(root, name), join(folder, "put-aside", name)),
  };
};
