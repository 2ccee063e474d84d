import { constants, copyFile, link, lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { inParallel } from "../../async/in-parallel.ts";
import { codeOf } from "../../domain/errors.ts";
import type { FrozenFile } from "../contract/keeping.ts";
import { folderOf, manifestOf } from "../disk/table-folder.ts";

/** What of a data directory is the store: the rest is made again, or belongs to one run. */
export const storeParts = ["tables", "files", "secret"] as const;

/** A device of Windows, whatever its ending. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether a part of a path below `tables/` is a plain name on every system: not `..`, nor hidden. */
const isPlainName = (part: string): boolean =>
  /^[A-Za-z0-9._-]+$/.test(part) && !part.startsWith(".") && !part.endsWith(".") && !device.test(part);

/**
 * Whether a file of this path, relative to the data directory and with `/`, is one of the store. Nothing else is taken
 * from a backup: native parts, settings, locks and sockets are never those of a stranger.
 */
export const isStorePath = (path: string): boolean => {
  if (path === "secret") return true;
  if (blobIn(path) !== null) return true;
  const [root, ...parts] = path.split("/");
  const isOfTable = root === "tables" && parts[0]?.endsWith(".lance") === true && parts.length > 1;
  return isOfTable && path.length <= 1_000 && parts.every(isPlainName);
};

/** The SHA-256 in the path of an uploaded file, which its content has; null for another path. */
export const blobIn = (path: string): string | null => {
  const [, folder, sha256] = /^files\/([0-9a-f]{2})\/([0-9a-f]{64})$/.exec(path) ?? [];
  return sha256 !== undefined && sha256.slice(0, 2) === folder ? sha256 : null;
};

/** A file of the store, to be cloned. */
interface Planned {
  /** Relative to the data directory. */
  path: string;
  bytes: number;
  /** Its content never changes under this name, so that another link to it is as good as a copy. */
  isImmutable: boolean;
}

export interface ClonePlan {
  files: readonly Planned[];
  /** All files together. */
  bytes: number;
  /** What takes space on the disk: what has to be copied. */
  newBytes: number;
  canLink: boolean;
}

/** Files cloned at once. */
const maxAtOnce = 16;

/**
 * LanceDB writes rows, deletions and indexes once and never again. Manifests and the hint to the newest one are small
 * and copied: nothing is taken for granted of them.
 */
const isImmutable = (path: string): boolean =>
  /^tables\/[^/]+\.lance\/(data|_deletions|_indices)\//.test(path) || blobIn(path) !== null;

const filesIn = async (dataDir: string): Promise<string[]> => {
  const paths: string[] = [];
  for (const part of storeParts) {
    const root = join(dataDir, part);
    const found = await lstat(root).catch(() => null);
    if (found?.isFile() === true) paths.push(part);
    else if (found?.isDirectory() === true)
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true }))
        if (entry.isFile())
          paths.push(
            join(entry.parentPath, entry.name)
              .slice(dataDir.length + 1)
              .replaceAll("\\", "/"),
          );
  }
  // Uploads in progress when the store was last open are none of it.
  return paths.filter(isStorePath);
};

/** Whether a file of one folder can get a second name in the other. */
const canLinkInto = async (file: string, folder: string): Promise<boolean> => {
  const probe = join(folder, "link-probe");
  return link(file, probe).then(
    () => rm(probe).then(() => true),
    () => false,
  );
};

/** @param target an existing folder, in which the clone will lie */
export const planClone = async (dataDir: string, target: string): Promise<ClonePlan> => {
  const paths = await filesIn(dataDir);
  const files = await inParallel(paths, maxAtOnce, async (path) => ({
    path,
    bytes: (await stat(join(dataDir, path))).size,
    isImmutable: isImmutable(path),
  }));
  const linked = files.find((file) => file.isImmutable);
  const canLink = linked !== undefined && (await canLinkInto(join(dataDir, linked.path), target));
  const sum = (some: readonly Planned[]): number => some.reduce((bytes, file) => bytes + file.bytes, 0);
  return {
    files,
    canLink,
    bytes: sum(files),
    newBytes: sum(canLink ? files.filter((file) => !file.isImmutable) : files),
  };
};

/** Clones the planned files from one folder into another, which has the same layout. Nothing else may write to either. */
export const cloneStore = async ({ files, canLink }: ClonePlan, from: string, to: string): Promise<void> => {
  const folders = new Set(files.map(({ path }) => dirname(join(to, path))));
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  await inParallel(files, maxAtOnce, async (file) => {
    const source = join(from, file.path);
    const target = join(to, file.path);
    const copy = () => copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    // One file may have more links than the file system allows.
    await (canLink && file.isImmutable ? link(source, target).catch(copy) : copy());
  });
};

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
