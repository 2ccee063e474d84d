import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A deletion file names the removed rows of one file of rows: `fragment-version-id`, by the version that was read. */
const named = /^\d+-(\d+)-\d+\.(arrow|bin)$/;
/** What files of Arrow begin and end with. */
const magic = "ARROW1";
/** The disk gives space in pages: what did not fit any more is cut off at the end of one. */
const pageBytes = 4_096;

const isWhole = (bytes: Buffer, kind: string | undefined): boolean => {
  if (kind !== "arrow") return bytes.length % pageBytes !== 0;
  const text = (start: number): string => bytes.toString("latin1", start, start + magic.length);
  return bytes.length > 2 * magic.length && text(0) === magic && text(bytes.length - magic.length) === magic;
};

/**
 * Deletion files that a commit left empty or cut off. LanceDB 12 does not notice that the disk was full while it wrote one:
 * where space comes free before the last file of the commit, the commit succeeds, and nothing can read the table any more.
 * @param folder of the table
 * @param readVersion the version that the commit changed
 */
export const brokenDeletionFiles = async (folder: string, readVersion: number): Promise<string[]> => {
  const deletions = join(folder, "_deletions");
  const broken: string[] = [];
  for (const name of await readdir(deletions).catch(() => [])) {
    const [, version, kind] = named.exec(name) ?? [];
    if (version === undefined || Number(version) < readVersion) continue;
    if (!isWhole(await readFile(join(deletions, name)), kind)) broken.push(name);
  }
  return broken;
};
