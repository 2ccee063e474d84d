import { equals } from "../engine/filters.ts";
import type { Lance, LanceTable } from "../engine/lance.ts";
import { nearestByCodes } from "../engine/vector-index.ts";

/** The columns of terms, each with an index of its own. */
export const textColumns = ["terms", "headingTerms", "titleTerms"] as const;

/**
 * Reads what each search of a version needs of its indexes: lists of terms, lengths of snippets, codes of vectors. Upkeep
 * makes new indexes, and the first question after it waited for this: up to half a second of 450 MB of snippets.
 * @param table a handle of the version that searches are about to use; its connection keeps what is read for all handles
 * @param dimensions of the vectors if they have an index, else null
 */
export const warmIndex = async (lance: Lance, table: LanceTable, dimensions: number | null): Promise<void> => {
  for (const column of textColumns) {
    const query = table.query().fullTextSearch(new lance.MatchQuery("a", column)).fastSearch();
    await query.select(["_score"]).limit(1).toArrow();
  }
  for (const column of ["organizationId", "revision"])
    await table.query().where(equals(column, "")).select([]).withRowId().limit(1).toArrow();
  if (dimensions === null) return;
  const query = nearestByCodes(table, new Float32Array(dimensions).fill(1)).fastSearch();
  await query.select(["_distance"]).limit(1).toArrow();
};
