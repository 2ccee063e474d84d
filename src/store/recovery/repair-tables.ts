import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../log.ts";
import { connect } from "../engine/lance.ts";
import { checkTable, folderOf, noneIsWhole, type onlyEmptyIsWhole } from "./check-table.ts";
import type { Quarantine } from "./quarantine.ts";

/** What the start found broken and set aside. What follows from it is seen in the tables themselves, by who opens them. */
export interface Mended {
  /** Tables whose newest version was broken: the one before is used. */
  readonly rolledBack: ReadonlySet<string>;
  /** Tables that were broken or missing altogether: they are made anew, empty. */
  readonly renewed: ReadonlySet<string>;
  /** What nothing can make again: where there is any, the store is not to be opened. */
  readonly refusals: readonly string[];
}

/** Tables that cannot be made again, by what they hold; `anew` where all the rest means nothing without them. */
const irreplaceable: Readonly<Record<string, { holds: string; anew?: true }>> = {
  documents: { holds: "the list of documents", anew: true },
  organizations: { holds: "the organizations", anew: true },
  partitions: { holds: "the partitions" },
  keys: { holds: "the API keys" },
  chats: { holds: "the chats" },
  messages: { holds: "the messages of chats" },
};

/** The others, and what it means that one is empty. */
const replaceable: Readonly<Record<string, string>> = {
  meta: "the steps from older schemas are made once more",
  indexes: "the search index is built again in the background",
  texts: "documents from files and addresses are read again; of those sent as text only what is searched is left",
  idempotency: "a request repeated with its Idempotency-Key is taken for a new one",
  deliveries: "webhooks that were not sent yet are lost",
  site_pages: "the pages of sites are fetched once more",
};

const meaningOf = (name: string): string =>
  replaceable[name] ?? "the search index is built again from the texts, in the background";

const tablesIn = async (dataDir: string): Promise<string[]> => {
  const entries = await readdir(join(dataDir, "tables"), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.endsWith(".lance"))
    .map(({ name }) => name.slice(0, -".lance".length));
};

const allMissing =
  "tables/ is missing or empty, while files/ holds what was ingested: put a copy of tables/ in its place, or move files/ away to begin anew.";

/** Files of documents, which would be removed as nobody's. */
const holdsFiles = async (dataDir: string): Promise<boolean> =>
  (await readdir(join(dataDir, "files"), { recursive: true }).catch(() => [])).some((path) =>
    /^[0-9a-f]{2}.[0-9a-f]{64}$/.test(path),
  );

/**
 * Goes through all tables before they are opened: sets broken versions aside where an older one is whole, and whole
 * tables that can be made again from others.
 * @throws StoreDamagedError where files cannot be read, which is another thing than being broken
 */
export const mendTables = async (dataDir: string, quarantine: Quarantine, log: Logger): Promise<Mended> => {
  const names = await tablesIn(dataDir);
  const rolledBack = new Set<string>();
  const broken = new Map<string, typeof noneIsWhole | typeof onlyEmptyIsWhole>();
  let isUsed = false;
  if (names.length === 0) {
    const refusals = (await holdsFiles(dataDir)) ? [allMissing] : [];
    return { rolledBack, renewed: new Set(), refusals };
  }
  // A connection of its own: what it remembers of broken versions is not to be used later.
  const { connection } = await connect(join(dataDir, "tables"));
  try {
    const checks = names.map(async (name) => ({
      name,
      finding: await checkTable(connection, dataDir, quarantine, name),
    }));
    await Promise.allSettled(checks); // none goes on moving files when another has failed
    for (const { name, finding } of await Promise.all(checks)) {
      if (typeof finding === "string") {
        broken.set(name, finding);
        isUsed ||= name in irreplaceable && finding === noneIsWhole;
        continue;
      }
      // A start that was cut off leaves rows in these two alone.
      isUsed ||= finding.rows > 0 && name !== "meta" && name !== "indexes";
      if (finding.versionsSetAside === 0) continue;
      rolledBack.add(name);
      const fields = { table: name, versions: finding.versionsSetAside, quarantine: quarantine.folder };
      log.warn(fields, "a table's newest version was broken and is set aside; the one before is used");
    }
  } finally {
    connection.close();
  }
  // What only its lost rows named is about to be removed as nobody's.
  if (rolledBack.has("documents"))
    for (const path of [folderOf("texts"), "files"]) await quarantine.linkIn(path, "with-documents");

  const expected = isUsed ? [...Object.keys(irreplaceable), ...Object.keys(replaceable)] : [];
  const missing = expected.filter((name) => !names.includes(name));
  const putAside = new Set<string>();
  for (const name of missing)
    if (irreplaceable[name]?.anew === undefined && (await quarantine.isPutAside(`${name}.lance`))) putAside.add(name);
  const refusals = [...broken.keys(), ...missing].flatMap((name) => {
    const kind = irreplaceable[name];
    return kind === undefined || putAside.has(name) || !isUsed ? [] : refusalOf(name, kind, broken.get(name) ?? null);
  });
  if (refusals.length > 0) return { rolledBack, renewed: new Set(), refusals };

  for (const name of broken.keys()) {
    await quarantine.moveIn(folderOf(name));
    log.warn({ table: name, quarantine: quarantine.folder }, `a broken table is set aside whole: ${meaningOf(name)}`);
  }
  for (const name of missing) {
    if (putAside.has(name)) await quarantine.takePutAside(`${name}.lance`);
    const meaning = putAside.has(name) ? "it was put aside by hand, and begins empty" : meaningOf(name);
    log.warn({ table: name }, `a table is missing: ${meaning}`);
  }
  return { rolledBack, renewed: new Set([...broken.keys(), ...missing]), refusals };
};

/** @param state what is wrong with it; null where it is missing */
const refusalOf = (name: string, { holds, anew }: { holds: string; anew?: true }, state: string | null): string => {
  const aside = `quarantine/${name}.lance`;
  const without =
    anew !== undefined
      ? "or begin anew in another dataDir (what was ingested as a file is in files/)"
      : state === null
        ? `or make an empty folder ${aside} to start without ${holds}`
        : `or move it to ${aside} to start without ${holds}`;
  return `${folderOf(name)} (${holds}) ${state ?? "is missing"}: put a copy of it in its place, ${without}.`;
};
