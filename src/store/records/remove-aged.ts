import type { StoreTable } from "../engine/store-table.ts";
import type { Ages } from "./ages.ts";

/** Rows removed in one commit. */
const pageRows = 1_000;

/**
 * Removes the first of the rows that are older, by `createdAt`.
 * @returns how many: there may be more unless it is 0
 */
export const removeAged = async <T>(
  table: StoreTable<T>,
  ages: Pick<Ages, "areOver">,
  ageMs: number,
  durable = true,
): Promise<number> => {
  const where = ages.areOver(ageMs, '"createdAt"');
  const ids = await table.scan(["id"], { where, limit: pageRows }, (row) => row.string("id"));
  await table.remove("old", "id", ids, durable);
  return ids.length;
};
