import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { folderOf } from "../disk/table-folder.ts";
import { vectorTableName } from "../search/snippet-rows.ts";
import { unreadable } from "./check-table.ts";
import type { Quarantine } from "./quarantine.ts";

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

export interface MissingTable {
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
