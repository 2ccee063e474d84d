import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../log.ts";
import { type Connection, connect, type LanceTable, withNewest } from "../engine/lance.ts";
import { folderOf } from "./check-table.ts";
import type { NewDamage } from "./damage.ts";
import type { Quarantine } from "./quarantine.ts";
import { checkRows, copyRows, type DamagedRow, rowsOf } from "./table-rows.ts";

/** Where the sound rows of a damaged table are gathered, before they take its place. */
const folderName = "salvage";

/** Tables whose rows are worth keeping one by one: of the others, a damaged one starts empty and fills by itself. */
const keptByRow = [
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

export const isSalvaged = (name: string): boolean => keptByRow.includes(name) || name.startsWith("snippets_");

/** What was saved of a table, and what was not. */
export interface Salvage {
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

/**
 * Makes a damaged table anew from the rows that are as they were written; the table as it was goes into the quarantine.
 * Of snippets, those of the same revision go too, so that the document is indexed again.
 * @returns null where nothing can be kept: the table is left as it is
 */
export const salvageTable = async (
  connection: Connection,
  dataDir: string,
  quarantine: Quarantine,
  name: string,
  log: Logger,
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
    if (name === "organizations" && damaged.length > 0) return null; // everything in the store belongs to one
    const kept = name.startsWith("snippets_") ? await ofWholeDocuments(connection, table, sound, damaged) : sound;
    if (kept.length === 0) return null;
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

/** Without the snippets of documents that have lost some: those documents are indexed again as a whole. */
const ofWholeDocuments = async (
  connection: Connection,
  table: LanceTable,
  sound: readonly bigint[],
  damaged: readonly DamagedRow[],
): Promise<bigint[]> => {
  /** Snippets that each revision should have. */
  const expected = new Map<string, number>();
  await withNewest(connection, "documents", async (documents) => {
    for (const row of await rowsOf(documents, ["revision", "chunks"]))
      if (typeof row.revision === "string") expected.set(row.revision, Number(row.chunks));
  });
  const isKept = new Set(sound);
  const rows = await rowsOf(table, ["revision"], sound);
  const counts = new Map<string, number>();
  for (const { revision } of rows) counts.set(String(revision), (counts.get(String(revision)) ?? 0) + 1);

  const incomplete = new Set(damaged.flatMap(({ ids }) => ids.revision ?? []));
  // Where the revision itself is what is damaged, the number of snippets tells whose they are.
  if (damaged.some(({ ids }) => ids.revision === undefined || !expected.has(ids.revision)))
    for (const [revision, chunks] of expected) if (counts.get(revision) !== chunks) incomplete.add(revision);
  return rows.flatMap(({ rowId, revision }) => (isKept.has(rowId) && !incomplete.has(String(revision)) ? [rowId] : []));
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
  (name === "texts" || name.startsWith("snippets_") ? [] : damaged).map(({ detail, ids }) => ({
    kind: "row",
    where: name,
    id: ids.id ?? null,
    organizationId: ids.organizationId ?? null,
    belongsTo: ids.chatId ?? ids.documentId ?? null,
    detail: `a row of ${name} was damaged and is left out: ${detail}`,
  }));

/**
 * Names the documents whose records are lost by their texts: the id of a damaged row may be what is damaged in it.
 * @returns what was lost, with their ids
 */
export const whoseDocuments = async (dataDir: string, lost: readonly NewDamage[]): Promise<NewDamage[]> => {
  const records = lost.filter(({ where }) => where === "documents");
  if (records.length === 0) return [...lost];
  const { connection } = await connect(join(dataDir, "tables"));
  try {
    const known = new Set(
      await withNewest(connection, "documents", async (table) =>
        (await rowsOf(table, ["id"])).map(({ id }) => String(id)),
      ),
    );
    const owners = new Map<string, string>();
    await withNewest(connection, "texts", async (table) => {
      for (const { documentId, organizationId } of await rowsOf(table, ["documentId", "organizationId"]))
        if (!known.has(String(documentId))) owners.set(String(documentId), String(organizationId));
    }).catch(() => undefined);
    const named = new Set(owners.keys());
    const detail = records[0]?.detail ?? "";
    const byText = [...owners].map(([id, organizationId]): NewDamage => {
      const own = records.find((record) => record.id === id);
      return { kind: "row", where: "documents", id, organizationId, belongsTo: null, detail: own?.detail ?? detail };
    });
    const others = records.filter(({ id }) => id === null || !named.has(id)).slice(0, records.length - byText.length);
    return [...lost.filter(({ where }) => where !== "documents"), ...byText, ...others];
  } finally {
    connection.close();
  }
};
