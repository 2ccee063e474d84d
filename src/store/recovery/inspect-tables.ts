import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "../engine/lance.ts";
import { currentSchema, isOlder, readStoredVersion, refuseNewer } from "../migrations/migrations.ts";
import { readAllFiles } from "./check-table.ts";
import {
  isIrreplaceable,
  type MissingTable,
  missingTables,
  type Refusal,
  refusalWithoutTables,
  showsUse,
  tablesIn,
} from "./known-tables.ts";
import { createQuarantine } from "./quarantine.ts";

/** How a table of a store that no server uses was found. */
export interface TableReport {
  name: string;
  rows: number;
  /** Why it cannot be read; null if it can. */
  fault: string | null;
}

/** How the store was found: what a start would find, without what it would do. */
export interface StoreReport {
  /** By name. */
  tables: TableReport[];
  missing: MissingTable[];
  /** Set where files are there and no table is. */
  refusal: Refusal | null;
}

/**
 * Opens every file of every table, without the lock and without changing anything: a broken table stays as it is.
 * @throws StoreTooNewError if a newer program used the store, StoreDamagedError if this user may not look into it
 */
export const inspectTables = async (dataDir: string): Promise<StoreReport> => {
  const names = (await tablesIn(dataDir)).toSorted();
  if (names.length === 0) return { tables: [], missing: [], refusal: await refusalWithoutTables(dataDir) };
  const stored = await readStoredVersion(dataDir);
  await refuseNewer(dataDir, stored, currentSchema.version);
  // The next start upgrades the store, and adds the tables that came later.
  const isUpgraded = stored !== null && isOlder(stored.schema, currentSchema) && names.includes("meta");
  const folder = join(dataDir, "tables");
  const { connection } = await connect(folder);
  try {
    const tables: TableReport[] = [];
    for (const name of names) {
      const fault = await access(join(folder, `${name}.lance`), constants.R_OK | constants.X_OK).then(
        () => null,
        (error: NodeJS.ErrnoException) => `this user may not read it (${error.code})`,
      );
      tables.push(fault === null ? await inspect(connection, name) : { name, rows: 0, fault });
    }
    const isUsed = tables.some(({ name, rows, fault }) =>
      fault === null ? showsUse(name, rows) : isIrreplaceable(name),
    );
    const missing = await missingTables(names, isUsed, createQuarantine(dataDir));
    return { tables, missing: missing.filter(({ refusal }) => refusal !== null || !isUpgraded), refusal: null };
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
