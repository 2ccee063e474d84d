import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../log.ts";
import { connect } from "../engine/lance.ts";
import { vectorTableName } from "../vectors/vector-rows.ts";
import { checkTable, folderOf, noVersionIntact, type onlyEmptyVersionIntact } from "./check-table.ts";
import type { Quarantine } from "./quarantine.ts";

/** What the start moved to the quarantine. The code that opens the tables sees from them what else has to be repaired. */
export interface Repairs {
  /** Tables whose newest version was broken: an older one is used. */
  readonly rolledBack: ReadonlySet<string>;
  /** Tables that were broken or missing as a whole: they are created again, empty. */
  readonly renewed: ReadonlySet<string>;
  /** Why the store must not be opened: tables that nothing can restore. Empty if it can be. */
  readonly refusals: readonly string[];
}

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
  calibrations: "the refusal gate is calibrated again in the background",
  site_pages: "the pages of sites are fetched again",
};

/** Tables that a store of an earlier Carrel lacks: what happens when a broken one starts empty. */
const optional: Readonly<Record<string, string>> = {
  sessions: "who is signed in must sign in again",
  key_limits: "keys with limits of their own have those of the settings",
  audit: "the audit log before this moment is lost",
};

/** The vectors of models: missing in a store that has none. */
const setsTable = "vector_sets";
const isOfVectors = (name: string): boolean => name === setsTable || name.startsWith(vectorTableName(""));

const effectOfLoss = (name: string): string =>
  isOfVectors(name)
    ? "the vectors of the embedding model are made again in the background"
    : (replaceable[name] ?? optional[name] ?? "the search index is rebuilt from the texts in the background");

const tablesIn = async (dataDir: string): Promise<string[]> => {
  const entries = await readdir(join(dataDir, "tables"), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.endsWith(".lance"))
    .map(({ name }) => name.slice(0, -".lance".length));
};

const allMissing =
  "tables/ is missing or empty, while files/ holds ingested files: restore the last backup, or a copy of tables/; or move files/ away to start with an empty store.";

/** Whether there are files of documents: an empty store would remove them as unused. */
const holdsFiles = async (dataDir: string): Promise<boolean> =>
  (await readdir(join(dataDir, "files"), { recursive: true }).catch(() => [])).some((path) =>
    /^[0-9a-f]{2}.[0-9a-f]{64}$/.test(path),
  );

/** The result of checking the tables that are there. */
interface Checked {
  rolledBack: Set<string>;
  broken: Map<string, typeof noVersionIntact | typeof onlyEmptyVersionIntact>;
  /** Whether the store was ever used: in a new one, missing tables are no loss. */
  isUsed: boolean;
}

const checkTables = async (
  dataDir: string,
  names: readonly string[],
  quarantine: Quarantine,
  log: Logger,
): Promise<Checked> => {
  const checked: Checked = { rolledBack: new Set(), broken: new Map(), isUsed: false };
  // A connection of its own: its caches may hold broken versions.
  const { connection } = await connect(join(dataDir, "tables"));
  try {
    const checks = names.map(async (name) => ({
      name,
      finding: await checkTable(connection, dataDir, quarantine, name),
    }));
    await Promise.allSettled(checks); // if one fails, the others still finish moving files
    for (const { name, finding } of await Promise.all(checks)) {
      if (typeof finding === "string") {
        checked.broken.set(name, finding);
        checked.isUsed ||= name in irreplaceable && finding === noVersionIntact;
        continue;
      }
      // A first start that was interrupted leaves rows only in these two.
      checked.isUsed ||= finding.rows > 0 && name !== "meta" && name !== "indexes";
      if (finding.versionsSetAside === 0) continue;
      checked.rolledBack.add(name);
      const fields = { table: name, versions: finding.versionsSetAside, quarantine: quarantine.folder };
      log.warn(
        fields,
        "the newest version of a table was broken and is set aside in the quarantine; an older one is used",
      );
    }
  } finally {
    connection.close();
  }
  return checked;
};

/**
 * Checks all tables before they are opened. Moves broken versions to the quarantine if an older one is intact, and
 * whole tables if they can be restored from others.
 * @throws StoreDamagedError if this user may not read a file
 */
export const repairTables = async (dataDir: string, quarantine: Quarantine, log: Logger): Promise<Repairs> => {
  const names = await tablesIn(dataDir);
  if (names.length === 0) {
    const refusals = (await holdsFiles(dataDir)) ? [allMissing] : [];
    return { rolledBack: new Set(), renewed: new Set(), refusals };
  }
  const { rolledBack, broken, isUsed } = await checkTables(dataDir, names, quarantine, log);
  // Texts and files that only the lost rows named are about to be removed as unused: copies are kept.
  if (rolledBack.has("documents"))
    for (const path of [folderOf("texts"), "files"]) await quarantine.linkIn(path, "with-documents");

  const expected = isUsed ? [...Object.keys(irreplaceable), ...Object.keys(replaceable)] : [];
  if (names.some(isOfVectors)) expected.push(setsTable);
  const missing = expected.filter((name) => !names.includes(name));
  const setAside = new Set<string>();
  for (const name of missing) {
    if (irreplaceable[name]?.isEssential !== undefined) continue;
    if (await quarantine.isSetAsideByHand(`${name}.lance`)) setAside.add(name);
  }
  const refusals = [...broken.keys(), ...missing].flatMap((name) => {
    const kind = irreplaceable[name];
    return kind === undefined || setAside.has(name) || !isUsed ? [] : refusalOf(name, kind, broken.get(name) ?? null);
  });
  if (refusals.length > 0) return { rolledBack, renewed: new Set(), refusals };

  for (const name of broken.keys()) {
    await quarantine.moveIn(folderOf(name));
    const message = `a broken table is set aside in the quarantine: ${effectOfLoss(name)}`;
    log.warn({ table: name, quarantine: quarantine.folder }, message);
  }
  for (const name of missing) {
    const isSetAside = setAside.has(name);
    if (isSetAside) await quarantine.acceptSetAside(`${name}.lance`);
    const effect = isSetAside ? "the operator set it aside, and it starts empty" : effectOfLoss(name);
    log.warn({ table: name }, `a table is missing: ${effect}`);
  }
  return { rolledBack, renewed: new Set([...broken.keys(), ...missing]), refusals };
};

/** @param state what is wrong with the table; null if it is missing */
const refusalOf = (
  name: string,
  { holds, isEssential }: { holds: string; isEssential?: true },
  state: string | null,
): string => {
  const aside = `quarantine/${name}.lance`;
  const without =
    isEssential !== undefined
      ? "or start with an empty store in another dataDir (ingested files are in files/)"
      : state === null
        ? `or create an empty folder ${aside} to start without ${holds}`
        : `or move it to ${aside} to start without ${holds}`;
  return `${folderOf(name)} (${holds}) ${state ?? "is missing"}: restore it from the last backup, ${without}.`;
};
