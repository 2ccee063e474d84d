import type { Lance, LanceTable } from "../engine/lance.ts";
import { rebuildIndexes } from "../engine/table-indexes.ts";
import type { Erased, EraseRequest } from "./upkeep-work.ts";

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

/** An update that changes no value: it moves every row to a new file. */
const rewrite = async (table: LanceTable): Promise<void> => {
  const [field] = (await table.schema()).fields;
  if (field === undefined) throw new Error("a table without columns");
  await table.update({ where: "true", valuesSql: { [field.name]: `\`${field.name}\`` } });
};

/**
 * Whether the files may hold removed rows. For several files only statistics are known, so they may. The current version
 * does not name a file whose rows are all removed.
 */
const mayHoldRemoved = async (table: LanceTable): Promise<boolean> => {
  const { numRows, fragmentStats } = await table.stats();
  const { numFragments, lengths } = fragmentStats;
  return numRows > 0 && (numFragments > 1 || lengths.max > numRows);
};
