import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../log/log.ts";
import { folderOf } from "../disk/table-folder.ts";
import { damagedRow, type NewDamage } from "../engine/damage.ts";
import { type Connection, connect, type LanceTable, withNewest } from "../engine/lance.ts";
import { isOfSnippets } from "../search/snippet-rows.ts";
import type { Quarantine } from "./quarantine.ts";
import { checkRows, copyRows, type DamagedRow, rowsOf } from "./table-rows.ts";

/** Where the sound rows of a damaged table are gathered, before they take its place. */
const folderName = "salvage";

/** Tables whose rows are worth keeping one by one: of the others, a damaged one starts empty and fills by itself. */
const keptByRow = [
  "receipts",
  "feedback",
  "documents",
  "texts",
  "chats",
  "messages",
  "partitions",
  "keys",
  "organizations",
  "audit",
  "deliveries",
];

export const keepsRows = (name: string): boolean => keptByRow.includes(name) || isOfSnippets(name);

/** What was saved of a table, and what was not. */
interface Salvage {
  kept: number;
  damaged: DamagedRow[];
}

/** Completes what a crash interrupted between the two renames that put a salvaged table in place. */
export const finishSalvage = async (dataDir: string): Promise<void> => {
  const folder = join(dataDir, folderName);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(".done")) continue;
    const table = name.slice(0, -".done".length);
    const isMissing = await stat(join(dataDir, folderOf(table))).then(
      () => false,
      () => true,
    );
    if (isMissing) await rename(join(folder, `${table}.lance`), join(dataDir, folderOf(table)));
  }
  await rm(folder, { recursive: true, force: true });
};

/** Their damaged rows are named even where no other is left; other tables without a sound row are made again. */
const isOfAnswers = (name: string): boolean => name === "receipts" || name === "feedback";

/**
 * Whether the rest is served without a single sound row of a table that nothing can restore. Documents are not given up
 * where no row even has an id: then files are missing or cut off, as of a copy that is not complete.
 */
const mayKeepNone = (name: string, damaged: readonly DamagedRow[]): boolean =>
  ["chats", "messages", "partitions", "keys"].includes(name) ||
  (name === "documents" && damaged.some(({ ids }) => ids.id !== undefined));

interface SalvageOptions {
  name: string;
  /** Whether it is made anew also where all of its rows are sound: its files are not. */
  isBroken: boolean;
  /** There is no older version: what is damaged is left out even where no row is sound. */
  isLastWay: boolean;
  quarantine: Quarantine;
  log: Logger;
}

/**
 * Makes a damaged table anew from the rows that are as they were written; the table as it was goes into the quarantine.
 * @returns null where nothing can be kept: the table is left as it is
 */
export const salvageTable = async (
  connection: Connection,
  dataDir: string,
  { name, isBroken, isLastWay, quarantine, log }: SalvageOptions,
): Promise<Salvage | null> => {
  const table = await connection.openTable(name).catch(() => null);
  if (table === null) return null;
  try {
    const sound: bigint[] = [];
    const damaged: DamagedRow[] = [];
    for await (const part of checkRows(table)) {
      sound.push(...part.sound);
      damaged.push(...part.damaged);
    }
    if (!isBroken && damaged.length === 0) return { kept: sound.length, damaged };
    if (name === "organizations" && damaged.length > 0) return null; // everything in the store belongs to one
    const kept = isOfSnippets(name) ? await ofWholeDocuments(connection, table, sound) : sound;
    if (kept.length === 0 && !isOfAnswers(name) && !(isLastWay && mayKeepNone(name, damaged))) return null;
    await replaceTable(dataDir, quarantine, name, table, kept);
    const fields = { table: name, kept: kept.length, damaged: damaged.length, quarantine: quarantine.folder };
    log.warn(fields, "a table was damaged: it is made anew from its sound rows");
    return { kept: kept.length, damaged };
  } catch (error) {
    log.warn({ table: name, error: String(error) }, "the sound rows of a damaged table could not be saved");
    return null;
  } finally {
    table.close();
  }
};

/** The snippets of documents that have all of theirs: the other documents are indexed again as a whole. */
const ofWholeDocuments = async (
  connection: Connection,
  table: LanceTable,
  sound: readonly bigint[],
): Promise<bigint[]> => {
  const missing = new Map<unknown, number>();
  await withNewest(connection, "documents", async (documents) => {
    for (const { revision, chunks } of await rowsOf(documents, ["revision", "chunks"]))
      missing.set(revision, Number(chunks));
  });
  const rows = await rowsOf(table, ["revision"], sound);
  for (const { revision } of rows) missing.set(revision, (missing.get(revision) ?? 0) - 1);
  return rows.filter(({ revision }) => missing.get(revision) === 0).map(({ rowId }) => rowId);
};

const replaceTable = async (
  dataDir: string,
  quarantine: Quarantine,
  name: string,
  from: LanceTable,
  rowIds: readonly bigint[],
): Promise<void> => {
  const folder = join(dataDir, folderName);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { connection } = await connect(folder);
  try {
    const to = await connection.createEmptyTable(name, await from.schema(), { mode: "overwrite" });
    await copyRows(from, rowIds, to);
    await to.optimize({ cleanupOlderThan: new Date() });
    to.close();
  } finally {
    connection.close();
  }
  await writeFile(join(folder, `${name}.done`), "", { flush: true });
  await quarantine.moveIn(folderOf(name));
  await rename(join(folder, `${name}.lance`), join(dataDir, folderOf(name)));
  await rm(join(folder, `${name}.done`));
};

/** The damage of rows that were left out. Texts and snippets are made again where they can be: see `reconcile`. */
export const lostRows = (name: string, { damaged }: Salvage): NewDamage[] =>
  name === "texts" || isOfSnippets(name) ? [] : damaged.map((row) => damagedRow(name, row));
