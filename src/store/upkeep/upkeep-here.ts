import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Schema as ArrowSchema, RecordBatch } from "apache-arrow";
import { messageOf } from "../../domain/errors.ts";
import { Field, Schema, Table } from "../engine/columns.ts";
import { type Connection, connect, type Lance, type LanceTable, withNewest } from "../engine/lance.ts";
import { countUnindexed, makeIndexes, rebuildIndexes } from "../engine/table-indexes.ts";
import type { Erased, EraseRequest, MergeRequest, Tidied, TidyRequest, UpkeepWork } from "../engine/upkeep-work.ts";
import { createVectorIndexState, keepVectorIndex } from "../engine/vector-index.ts";
import { sealTable } from "../recovery/seal.ts";

/** Rows that are added at once: some 18 MB, of which there are three copies for a moment. 16,000 took 0.3 GB more, and no less time. */
const rowsAtOnce = 4_000;

/**
 * LanceDB compresses the texts of a table that was merged, which `longText` forbids where rows are added: two thirds of a row
 * are left, and read as fast (docs/decisions/segments.md).
 */
const compressed = ({ fields }: ArrowSchema): ArrowSchema =>
  new Schema(fields.map(({ name, type, nullable }) => new Field(name, type, nullable)));

const mergingFolder = (folder: string): string => join(folder, "../merging");

/** Removes what a merge left that did not come to its end. @param folder of the tables */
export const removeUnfinishedMerges = (folder: string): Promise<void> =>
  rm(mergingFolder(folder), { recursive: true, force: true });

/**
 * See `UpkeepWork`. The table is made beside the folder of the tables and then moved there: a merge that is interrupted
 * leaves no part of a table that a start, a backup or another server could take for one.
 */
export const mergeTables = async (
  lance: Lance,
  connection: Connection,
  folder: string,
  { inputs, output, indexes }: MergeRequest,
): Promise<void> => {
  const [first] = inputs;
  if (first === undefined) throw new Error("no tables to merge");
  const merging = mergingFolder(folder);
  const made = join(merging, `${output}.lance`);
  await mkdir(merging, { recursive: true, mode: 0o700 });
  await rm(made, { recursive: true, force: true });
  const { connection: there } = await connect(merging);
  try {
    const schema = await withNewest(connection, first, (table) => table.schema());
    const table = await there.createEmptyTable(output, compressed(schema));
    for (const input of inputs) await withNewest(connection, input, (from) => copyRows(from, table));
    await table.optimize();
    await makeIndexes(lance, table, indexes);
    await keepVectorIndex(lance, table, createVectorIndexState().plan());
    // What was merged into one file is not read any more.
    await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
    table.close();
  } finally {
    there.close();
  }
  await rename(made, join(folder, `${output}.lance`));
};

const copyRows = async (from: LanceTable, to: LanceTable): Promise<void> => {
  let batches: RecordBatch[] = [];
  let rows = 0;
  const add = async (): Promise<void> => {
    if (rows > 0) await to.add(new Table(batches));
    batches = [];
    rows = 0;
  };
  for await (const batch of from.query()) {
    batches.push(batch);
    rows += batch.numRows;
    if (rows >= rowsAtOnce) await add();
  }
  await add();
};

/** Newest first. */
const versionsOf = async (table: LanceTable): Promise<{ version: number; timestamp: Date }[]> =>
  (await table.listVersions()).sort((one, other) => other.version - one.version);

/**
 * Older versions are removed by their date, which LanceDB gives in milliseconds: one that was committed in the same one as
 * the current version would stay, with its files, until the next write. A version more, that changes nothing, tells them apart.
 */
const tellApart = async (table: LanceTable): Promise<void> => {
  const [current, before] = await versionsOf(table);
  if (current === undefined || current.timestamp.getTime() !== before?.timestamp.getTime()) return;
  await Bun.sleep(2);
  await table.delete("false");
};

/**
 * When the current version was committed (epoch ms), and whether older ones are left. Merging makes a version that still
 * names the merged files before the one that does not: with the moment before the work, the last run of a table would
 * leave them on disk.
 */
const standingOf = async (table: LanceTable): Promise<Pick<Tidied, "currentSince" | "hasOlder">> => {
  const current = await table.version();
  const versions = await versionsOf(table);
  const found = versions.find(({ version }) => version === current);
  if (found === undefined) throw new Error(`version ${current} is not listed`);
  return { currentSince: found.timestamp.getTime(), hasOlder: versions.some(({ version }) => version < current) };
};

/** See `UpkeepWork`. What fails once a version may have been made is told in the result. */
const tidyTable = async (lance: Lance, table: LanceTable, request: TidyRequest): Promise<Tidied> => {
  const since = Date.now();
  const version = await table.version();
  let vectorIndexRows = request.vectorIndex?.builtAtRows ?? null;
  let unindexedRows: Record<string, number> = {};
  let failure: string | null = null;
  try {
    await table.optimize({
      cleanupOlderThan: new Date(request.removeBefore),
      deleteUnverified: request.removeUnnamed,
    });
    if (request.vectorIndex !== null) vectorIndexRows = await keepVectorIndex(lance, table, request.vectorIndex);
    if (request.countUnindexed) unindexedRows = await countUnindexed(table);
    await tellApart(table);
  } catch (error) {
    failure = messageOf(error);
  }
  const isNew = (await table.version()) !== version;
  const standing = await standingOf(table).catch(() => ({ currentSince: isNew ? since : 0, hasOlder: isNew }));
  return { isNew, ...standing, vectorIndexRows, unindexedRows, failure };
};

/** See `UpkeepWork`. LanceDB's `optimize` rewrites a file only if a tenth of its rows are removed, and indexes keep the values. */
export const eraseRows = async (lance: Lance, table: LanceTable, request: EraseRequest): Promise<Erased> => {
  let since = Date.now();
  const beforeCommit = async (): Promise<void> => {
    await Bun.sleep(2); // versions are dated in milliseconds
    since = Date.now();
  };
  if (await mayHoldRemoved(table)) {
    await beforeCommit();
    await rewrite(table);
  }
  await rebuildIndexes(lance, table, request.indexes, beforeCommit);
  return { version: await table.version(), since };
};

/**
 * An update that changes no value: it moves every row to a new file. Text cells without a value are made anew: behind them a
 * file of LanceDB can keep the value of another row, which outlived that row with each move.
 */
const rewrite = async (table: LanceTable): Promise<void> => {
  const { fields } = await table.schema();
  const [first] = fields;
  if (first === undefined) throw new Error("a table without columns");
  const nothing = `'${Bun.randomUUIDv7()}'`;
  const anew = nullableTexts(fields).map((name): [string, string] => [
    name,
    `nullif(coalesce(\`${name}\`, ${nothing}), ${nothing})`,
  ]);
  await table.update({
    where: "true",
    valuesSql: { [first.name]: `\`${first.name}\``, ...Object.fromEntries(anew) },
  });
};

const nullableTexts = (fields: Awaited<ReturnType<LanceTable["schema"]>>["fields"]): string[] =>
  fields.filter(({ nullable, type }) => nullable && String(type) === "Utf8").map(({ name }) => name);

/**
 * Whether the files may hold removed rows, or what is left of them behind cells without a value. For several files only
 * statistics are known, so they may. The current version does not name a file whose rows are all removed.
 */
const mayHoldRemoved = async (table: LanceTable): Promise<boolean> => {
  const { numRows, fragmentStats } = await table.stats();
  const { numFragments, lengths } = fragmentStats;
  if (numRows === 0) return false;
  return numFragments > 1 || lengths.max > numRows || nullableTexts((await table.schema()).fields).length > 0;
};

/** Rows are added beside upkeep: their files are sealed by a later run. */
const minAgeMs = 1_000;

/** Does the work in this process, on a handle of its own. @param folder of the tables */
export const createUpkeepHere = (lance: Lance, connection: Connection, folder: string): UpkeepWork => {
  return {
    async tidy(request) {
      const tidied = await withNewest(connection, request.table, (table) => tidyTable(lance, table, request));
      // What fails here is done when the store closes.
      await sealTable(join(folder, `${request.table}.lance`), minAgeMs).catch(() => undefined);
      return tidied;
    },
    merge: (request) => mergeTables(lance, connection, folder, request),
    erase: (request) => withNewest(connection, request.table, (table) => eraseRows(lance, table, request)),
  };
};
