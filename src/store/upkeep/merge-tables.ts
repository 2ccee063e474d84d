import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RecordBatch } from "apache-arrow";
import { Table } from "../engine/arrow.ts";
import { type Connection, connect, type Lance, type LanceTable, withNewest } from "../engine/lance.ts";
import { makeIndexes } from "../engine/table-indexes.ts";
import type { MergeRequest } from "../engine/upkeep-work.ts";
import { createVectorIndexState, keepVectorIndex } from "../engine/vector-index.ts";

/** Rows that are added at once: some 18 MB, of which there are three copies for a moment. 16,000 took 0.3 GB more, and no less time. */
const rowsAtOnce = 4_000;

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
    const table = await there.createEmptyTable(output, schema);
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
