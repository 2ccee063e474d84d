import type { Lance, LanceTable } from "../engine/lance.ts";
import { rebuildIndexes } from "../engine/table-indexes.ts";
import type { Erased, EraseRequest } from "../engine/upkeep-work.ts";

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
