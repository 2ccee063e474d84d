import { access, constants, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../engine/lance.ts";
import type { Quarantine } from "./quarantine.ts";

/** The data cannot be opened as it is, and putting it right is not the program's to decide; the message says how. */
export class StoreDamagedError extends Error {
  override readonly name = "StoreDamagedError";
}

/** Newest first by name: they count down. */
const isManifest = (name: string): boolean => /^\d{20}\.manifest$/.test(name);

/** What is no damage, though reading fails: memory, descriptors, a disk that does not answer. */
const isPassing = (error: unknown): boolean => /os error (5|12|23|24|110|116)\b/.test(String(error));

export const noneIsWhole = "is broken, and no older version in it is whole";
/** It may have been empty before its last write, or have been new when all that is lost was written. */
export const onlyEmptyIsWhole = "is broken, and the only whole version in it is an empty one";

/** Where a table is, relative to the data directory. */
export const folderOf = (name: string): string => `tables/${name}.lance`;

/** The version says where its rows are, and they are not there. */
class RowsLostError extends Error {
  override readonly name = "RowsLostError";
}

/**
 * Reads as little of a table as touches each of its files.
 * @returns how many rows it has
 * @throws Error where a file of its newest version is missing, cut off or no such file
 */
const readThrough = async (connection: Connection, name: string): Promise<number> => {
  const table = await connection.openTable(name);
  try {
    const columns = (await table.schema()).fields.map((field) => field.name);
    const [first] = columns;
    const last = columns.at(-1);
    if (first === undefined) throw new Error("a version without columns");
    // A column that was added later is the last one, in files of its own. Texts and vectors were not, and are large.
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

/** @throws StoreDamagedError where this user may not read a file: that is no damage, and nothing is to be moved */
const assertReadable = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
      throw new StoreDamagedError(`${path} cannot be read (${error.code}): give it to the user Carrel runs as.`);
    });
  }
};

/** Where `error` does not tell that the table is broken. @throws StoreDamagedError, or the error itself */
const assertBroken = async (folder: string, error: unknown): Promise<void> => {
  if (isPassing(error)) throw error;
  await assertReadable(folder);
};

const hasDataFiles = async (dataDir: string, name: string): Promise<boolean> =>
  (await readdir(join(dataDir, folderOf(name), "data")).catch(() => [])).length > 0;

/** What was found in a table: its rows, or what is wrong with it. */
export type Finding = { rows: number; versionsSetAside: number } | typeof noneIsWhole | typeof onlyEmptyIsWhole;

/** Sets aside versions, newest first, until one is whole and has rows. Where none is, the table stays as it was found. */
export const checkTable = async (
  connection: Connection,
  dataDir: string,
  quarantine: Quarantine,
  name: string,
): Promise<Finding> => {
  const versions = `${folderOf(name)}/_versions`;
  const manifests = (await readdir(join(dataDir, versions)).catch(() => [])).filter(isManifest).sort();
  const moved: string[] = [];
  let rowsLost = false;
  let finding: Finding = noneIsWhole;
  try {
    for (const manifest of manifests) {
      try {
        const rows = await readThrough(connection, name);
        const mayHaveHadRows = moved.length > 0 && (rowsLost || (await hasDataFiles(dataDir, name)));
        if (rows === 0 && mayHaveHadRows) finding = onlyEmptyIsWhole;
        else finding = { rows, versionsSetAside: moved.length };
        break;
      } catch (error) {
        rowsLost ||= error instanceof RowsLostError;
        await assertBroken(join(dataDir, folderOf(name)), error);
        await quarantine.moveIn(`${versions}/${manifest}`);
        moved.push(`${versions}/${manifest}`);
      }
    }
  } finally {
    if (typeof finding === "string") for (const path of moved) await quarantine.moveBack(path);
  }
  // With the rest of the table: maintenance would remove as nobody's what only those versions named.
  if (typeof finding !== "string" && moved.length > 0) await quarantine.linkIn(folderOf(name));
  return finding;
};
