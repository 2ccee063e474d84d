import type { Page, Paging } from "../contract/paging.ts";

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
