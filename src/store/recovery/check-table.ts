import { access, constants, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { folderOf, newestFirst } from "../disk/table-folder.ts";
import type { Connection } from "../engine/lance.ts";
import type { Quarantine } from "./quarantine.ts";

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

/** The data cannot be opened, and the operator has to decide how it is repaired: the message names the ways. */
export class StoreDamagedError extends Error {
  override readonly name = "StoreDamagedError";
}

/** Errors that are not damage: no memory, no file descriptors, a disk that does not answer. */
export const isTransient = (error: unknown): boolean => /os error (5|12|23|24|110|116)\b/.test(String(error));

export const noVersionIntact = "is broken, and no older version of it is intact";
/** The empty version may be from before the first write: to use it would lose every row. */
export const onlyEmptyVersionIntact = "is broken, and its only intact version is empty";

/** A version names files of rows that are missing or unreadable. */
class RowsLostError extends Error {
  override readonly name = "RowsLostError";
}

/**
 * Reads one column, or two, so that every file of the table is opened.
 * @returns the number of rows
 * @throws Error if a file of the newest version is missing, cut off or has another format
 */
export const readAllFiles = async (connection: Connection, name: string): Promise<number> => {
  const table = await connection.openTable(name);
  try {
    const columns = (await table.schema()).fields.map((field) => field.name);
    const [first] = columns;
    const last = columns.at(-1);
    if (first === undefined) throw new Error("a version without columns");
    // A column added by a migration is the last one, and has files of its own. Texts and vectors are never added later,
    // and are large.
    const read = last === undefined || ["text", "vector"].includes(last) ? [first] : [...new Set([first, last])];
    let rows = 0;
    try {
      for await (const batch of table.query().select(read)) rows += batch.numRows;
    } catch (error) {
      throw new RowsLostError(String(error));
    }
    return rows;
  } finally {
    table.close();
  }
};

export const unreadable = (path: string, { code }: NodeJS.ErrnoException): StoreDamagedError =>
  new StoreDamagedError(`${path} cannot be read (${code}): make it readable for the user that Carrel runs as.`);

/** @throws StoreDamagedError if this user may not read a file: that is not damage, and nothing is moved */
const assertReadable = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
      throw unreadable(path, error);
    });
  }
};

/** @throws StoreDamagedError, or the error itself, if it does not mean that the table is broken */
const assertBroken = async (folder: string, error: unknown): Promise<void> => {
  if (isTransient(error)) throw error;
  await assertReadable(folder);
};

const hasDataFiles = async (dataDir: string, name: string): Promise<boolean> =>
  (await readdir(join(dataDir, folderOf(name), "data")).catch(() => [])).length > 0;

/** The result of a check: the rows of the table, or what is wrong with it. */
export type Finding =
  | { rows: number; versionsSetAside: number }
  | typeof noVersionIntact
  | typeof onlyEmptyVersionIntact;

/**
 * Moves broken versions to the quarantine, newest first, until one is intact and has rows. If none is, they are moved
 * back.
 * @param mayLoseRows false: an older version is not used in place of one whose rows alone cannot be read
 */
export const checkTable = async (
  connection: Connection,
  dataDir: string,
  quarantine: Quarantine,
  name: string,
  mayLoseRows = true,
): Promise<Finding> => {
  const versions = `${folderOf(name)}/_versions`;
  const manifests = newestFirst(await readdir(join(dataDir, versions)).catch(() => []));
  const moved: string[] = [];
  let hasLostRows = false;
  let finding: Finding = noVersionIntact;
  try {
    for (const manifest of manifests) {
      try {
        const rows = await readAllFiles(connection, name);
        const mayHaveHadRows = moved.length > 0 && (hasLostRows || (await hasDataFiles(dataDir, name)));
        if (rows === 0 && mayHaveHadRows) finding = onlyEmptyVersionIntact;
        else finding = { rows, versionsSetAside: moved.length };
        break;
      } catch (error) {
        hasLostRows ||= error instanceof RowsLostError;
        await assertBroken(join(dataDir, folderOf(name)), error);
        if (hasLostRows && !mayLoseRows && moved.length === 0) break;
        await quarantine.moveIn(`${versions}/${manifest}`);
        moved.push(`${versions}/${manifest}`);
      }
    }
  } finally {
    if (typeof finding === "string") for (const path of moved) await quarantine.moveBack(path);
  }
  // The whole table is copied: maintenance removes files that only the quarantined versions name.
  if (typeof finding !== "string" && moved.length > 0) {
    await quarantine.linkIn(folderOf(name));
    await removeBrokenDeletions(connection, dataDir, name);
  }
  return finding;
};

/** Only versions set aside named them. Commits to come would take them for their own. */
const removeBrokenDeletions = async (connection: Connection, dataDir: string, name: string): Promise<void> => {
  const table = await connection.openTable(name);
  const version = await table.version();
  table.close();
  const folder = join(dataDir, folderOf(name));
  for (const file of await brokenDeletionFiles(folder, version)) await rm(join(folder, "_deletions", file));
};
