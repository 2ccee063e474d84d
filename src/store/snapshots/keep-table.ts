import { constants, copyFile, link, mkdir, readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { inParallel } from "../../async/in-parallel.ts";
import { codeOf } from "../../domain/errors.ts";
import type { FrozenFile } from "../contract/keeping.ts";
import { folderOf, manifestOf } from "../disk/table-folder.ts";
import { isStorePath } from "./clone-store.ts";

/** Files whose names LanceDB draws at random. */
const hasUniqueName = (path: string): boolean => path.startsWith("data/") || path.startsWith("_indices/");

const maxLinksAtOnce = 16;

const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";

/**
 * Links the files of one version of a table into another folder of the same disk, so that they stay when upkeep removes
 * the originals. Files of a table are never changed, only replaced. Files that older versions name, or a write that goes
 * on meanwhile, come along: the next upkeep of a restored table removes them.
 * @throws Error if the version's manifest is not there
 */
export const keepTable = async (
  dataDir: string,
  keptIn: string,
  name: string,
  version: number,
): Promise<FrozenFile[]> => {
  const folder = join(dataDir, folderOf(name));
  const manifest = manifestOf(version);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.includes("#")) // "#": LanceDB is still writing it
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.startsWith("_versions/") || path === manifest)
    .filter((path) => isStorePath(`${folderOf(name)}/${path}`)); // what a file manager left there could not be restored
  if (!paths.includes(manifest)) throw new Error(`the table ${name} has no manifest of its version ${version}`);
  for (const parent of new Set(paths.map((path) => dirname(join(keptIn, folderOf(name), path))))) {
    await mkdir(parent, { recursive: true, mode: 0o700 });
  }
  const kept = await inParallel(paths, maxLinksAtOnce, async (path): Promise<FrozenFile | null> => {
    const source = join(keptIn, folderOf(name), path);
    try {
      await link(join(folder, path), source).catch((error: unknown) => {
        if (isMissing(error)) throw error;
        // Not every file system has links.
        return copyFile(join(folder, path), source, constants.COPYFILE_FICLONE);
      });
    } catch (error) {
      // A write that failed may remove what it wrote; the version itself names no such file.
      if (isMissing(error) && path !== manifest) return null;
      throw error;
    }
    return { path: `${folderOf(name)}/${path}`, source, sha256: null, isNameUnique: hasUniqueName(path) };
  });
  return kept.filter((file) => file !== null);
};
