import { access, constants, readdir } from "node:fs/promises";
import { join } from "node:path";
import { folderOf } from "../disk/table-folder.ts";
import { connect } from "../engine/lance.ts";
import { currentSchema, isOlder, readStoredVersion, refuseNewer } from "../migrations/migrations.ts";
import { vectorTableName } from "../search/snippet-rows.ts";
import { readAllFiles, unreadable } from "./check-table.ts";
import { createQuarantine, type Quarantine } from "./quarantine.ts";

/** Tables that nothing can restore. Without an `essential` one the other tables are useless. */
const irreplaceable: Readonly<Record<string, { holds: string; isEssential?: true }>> = {
  documents: { holds: "the list of documents", isEssential: true },
  organizations: { holds: "the organizations", isEssential: true },
  partitions: { holds: "the partitions" },
  keys: { holds: "the API keys" },
  chats: { holds: "the chats" },
  messages: { holds: "the messages of chats" },
};

/** The other tables, and what happens when one starts empty. */
const replaceable: Readonly<Record<string, string>> = {
  meta: "the migrations from older schemas run again",
  indexes: "the search index is rebuilt in the background",
  texts:
    "documents from files and addresses are read again; of documents sent as text only the search index is left, unless you restore the last backup",
  idempotency: "a request repeated with its Idempotency-Key is treated as a new one",
  deliveries: "webhooks that were not sent yet are lost, unless you restore the last backup",
  site_pages: "the pages of sites are fetched again",
  sessions: "who is signed in must sign in again",
  key_limits: "keys with limits of their own have those of the settings",
  audit: "the audit log before this moment is lost",
  receipts: "the receipts of answers before this moment are lost, unless you restore the last backup",
  feedback: "the feedback before this moment is lost, unless you restore the last backup",
};

/** The vectors of models: missing in a store that has none. */
const setsTable = "vector_sets";
const isOfVectors = (name: string): boolean => name === setsTable || name.startsWith(vectorTableName(""));

export const isIrreplaceable = (name: string): boolean => name in irreplaceable;

/** What happens when a table starts empty that can be restored from others, or done without. */
export const effectOfLoss = (name: string): string =>
  isOfVectors(name)
    ? "the vectors of the embedding model are made again in the background"
    : (replaceable[name] ?? "the search index is rebuilt from the texts in the background");

/** Whether rows of a table show that the store was ever used: in a new one, missing tables are no loss. */
export const showsUse = (name: string, rows: number): boolean =>
  // A first start that was interrupted leaves rows only in these two.
  rows > 0 && name !== "meta" && name !== "indexes";

/** @returns names of the tables that are there @throws StoreDamagedError if this user may not see them */
export const tablesIn = async (dataDir: string): Promise<string[]> => {
  const entries = await readdir(join(dataDir, "tables"), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
      throw unreadable(join(dataDir, "tables"), error);
    },
  );
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.endsWith(".lance"))
    .map(({ name }) => name.slice(0, -".lance".length));
};

/** Why a store must not be opened, and what the operator can do. */
export interface Refusal {
  what: string;
  ways: string;
}

/** @param state what is wrong with the table; null if it is missing @returns null if it may start empty */
export const refusalOf = (name: string, state: string | null): Refusal | null => {
  const kind = irreplaceable[name];
  if (kind === undefined) return null;
  const { holds, isEssential } = kind;
  const aside = `quarantine/${name}.lance`;
  const without =
    isEssential !== undefined
      ? "or start with an empty store in another dataDir (ingested files are in files/)"
      : state === null
        ? `or create an empty folder ${aside} to start without ${holds}`
        : `or move it to ${aside} to start without ${holds}`;
  return {
    what: `${folderOf(name)} (${holds}) ${state ?? "is missing"}`,
    ways: `restore it from the last backup, ${without}`,
  };
};

/** Files of documents without any table: an empty store would remove them as unused. @returns null if there are none */
export const refusalWithoutTables = async (dataDir: string): Promise<Refusal | null> => {
  const paths = await readdir(join(dataDir, "files"), { recursive: true }).catch(() => []);
  if (!paths.some((path) => /^[0-9a-f]{2}.[0-9a-f]{64}$/.test(path))) return null;
  return {
    what: "tables/ is missing or empty, while files/ holds ingested files",
    ways: "restore the last backup, or a copy of tables/; or move files/ away to start with an empty store",
  };
};

interface MissingTable {
  name: string;
  /** What a start does. */
  effect: string;
  /** Whether the operator agreed to start without it. */
  isSetAside: boolean;
  refusal: Refusal | null;
}

/** @param names the tables that are there @param isUsed whether the store was ever used */
export const missingTables = async (
  names: readonly string[],
  isUsed: boolean,
  quarantine: Pick<Quarantine, "isSetAsideByHand">,
): Promise<MissingTable[]> => {
  const expected = isUsed ? [...Object.keys(irreplaceable), ...Object.keys(replaceable)] : [];
  if (names.some(isOfVectors)) expected.push(setsTable);
  const missing = expected.filter((name) => !names.includes(name));
  return Promise.all(
    missing.map(async (name) => {
      const isEssential = irreplaceable[name]?.isEssential !== undefined;
      const isSetAside = !isEssential && (await quarantine.isSetAsideByHand(`${name}.lance`));
      const effect = isSetAside ? "it starts empty, as the operator set it aside" : effectOfLoss(name);
      return { name, effect, isSetAside, refusal: isSetAside ? null : refusalOf(name, null) };
    }),
  );
};

/** How a table of a store that no server uses was found. */
interface TableReport {
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
