import type { Page, Paging } from "../contract/records.ts";
import { allOf, isOneOf, quote } from "./filters.ts";
import type { StoreTable } from "./store-table.ts";

/** Order by creation, then by id. */
export const byCreation = (sortOrder: Paging["sortOrder"]): { column: string; ascending: boolean }[] => {
  const ascending = sortOrder === "asc";
  return [
    { column: "createdAt", ascending },
    { column: "id", ascending },
  ];
};

/** One page of records in memory. */
export const pageOf = <T extends { createdAt: number; id: string }>(records: T[], paging: Paging): Page<T> => {
  const direction = paging.sortOrder === "asc" ? 1 : -1;
  const sorted = records.sort(
    (a, b) => direction * (a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
  );
  return { items: sorted.slice(paging.skip, paging.skip + paging.limit), total: records.length };
};

/**
 * Records whose id comes after `id`, by id, at most `limit`: each page is read on its own, so no version of the table is
 * kept while a slow reader pauses. Ids first: else the sort would read every column of every row.
 */
export const listAfter = async <T extends { id: string }>(
  table: Pick<StoreTable<T>, "scan" | "find">,
  where: string,
  id: string,
  limit: number,
): Promise<T[]> => {
  const page = {
    where: allOf(where, `id > ${quote(id)}`),
    orderBy: [{ column: "id", ascending: true }],
    limit,
  };
  const ids = await table.scan(["id"], page, (row) => row.string("id"));
  if (ids.length === 0) return [];
  const found = await table.find({ where: allOf(where, isOneOf("id", ids)) });
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
};
