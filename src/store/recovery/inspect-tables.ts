import { access, constants, readdir } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "../engine/lance.ts";
import { readAllFiles } from "./check-table.ts";

/** How a table of a store that no server uses was found. */
export interface TableReport {
  name: string;
  rows: number;
  /** Why it cannot be read; null if it can. */
  fault: string | null;
}

/**
 * Opens every file of every table, without the lock and without changing anything: a broken table stays as it is.
 * @returns the tables, by name
 */
export const inspectTables = async (dataDir: string): Promise<TableReport[]> => {
  const folder = join(dataDir, "tables");
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory() && entry.name.endsWith(".lance"))
    .map(({ name }) => name.slice(0, -".lance".length))
    .toSorted();
  if (names.length === 0) return [];
  const { connection } = await connect(folder);
  try {
    const reports: TableReport[] = [];
    for (const name of names) {
      const fault = await access(join(folder, `${name}.lance`), constants.R_OK | constants.X_OK).then(
        () => null,
        (error: NodeJS.ErrnoException) => `this user may not read it (${error.code})`,
      );
      reports.push(fault === null ? await inspect(connection, name) : { name, rows: 0, fault });
    }
    return reports;
  } finally {
    connection.close();
  }
};

const inspect = async (connection: Parameters<typeof readAllFiles>[0], name: string): Promise<TableReport> => {
  try {
    return { name, rows: await readAllFiles(connection, name), fault: null };
  } catch (error) {
    // Without the traces that LanceDB's own errors carry behind the first sentence.
    return { name, rows: 0, fault: String(error).split(/\sCaused by:|, \/\S+\.rs:|\n/)[0] ?? "" };
  }
};
