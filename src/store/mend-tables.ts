import { access, constants, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../log.ts";
import { type Connection, connect } from "./lance.ts";
import type { Quarantine } from "./quarantine.ts";

/** The data cannot be opened as it is, and putting it right is not the program's to decide; the message says how. */
export class StoreDamagedError extends Error {
  override readonly name = "StoreDamagedError";
}

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

/** Newest first by name: they count down. */
const isManifest = (name: string): boolean => /^\d{20}\.manifest$/.test(name);

/** What is no damage, though reading fails: memory, descriptors, a disk that does not answer. */
const isPassing = (error: unknown): boolean => /os error (5|12|23|24|110|116)\b/.test(String(error));

const noneIsWhole = "is broken, and no older version in it is whole";
/** It may have been empty before its last write, or have been new when all that is lost was written. */
const onlyEmptyIsWhole = "is broken, and the only whole version in it is an empty one";

const folderOf = (name: string): string => `tables/${name}.lance`;

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
type Finding = { rows: number; versionsSetAside: number } | typeof noneIsWhole | typeof onlyEmptyIsWhole;

/** Sets aside versions, newest first, until one is whole and has rows. Where none is, the table stays as it was found. */
const checkTable = async (
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

const tablesIn = async (dataDir: string): Promise<string[]> => {
  const entries = await readdir(join(dataDir, "tables"), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.endsWith(".lance"))
    .map(({ name }) => name.slice(0, -".lance".length));
};

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
  if (names.length === 0) return { rolledBack, renewed: new Set(), refusals: [] };
  // A connection of its own: what it remembers of broken versions is not to be used later.
  const { connection } = await connect(join(dataDir, "tables"));
  try {
    const findings = await Promise.all(
      names.map(async (name) => ({ name, finding: await checkTable(connection, dataDir, quarantine, name) })),
    );
    for (const { name, finding } of findings) {
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
