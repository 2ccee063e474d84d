import type { IndexInfo } from "../../domain/records.ts";
import { equals } from "../engine/filters.ts";
import type { Lance, LanceTable } from "../engine/lance.ts";
import type { MaintainedTables } from "../engine/maintained-tables.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { TableDefinition } from "../engine/table-definition.ts";
import { countUnindexed } from "../engine/table-indexes.ts";
import { maxUntidied } from "../engine/upkeep-due.ts";
import type { Tidied } from "../engine/upkeep-work.ts";
import { createVectorIndexState, nearestByCodes } from "../engine/vector-index.ts";
import type { SegmentedTables } from "../segments/open-segments.ts";
import type { LiveIndex, SnippetSegment } from "./live-indexes.ts";
import { createRecentSnippets } from "./recent-snippets.ts";
import { type StoredSnippet, snippetRows } from "./snippet-rows.ts";
import { createUnindexedSnippets, type UnindexedSnippets } from "./unindexed-snippets.ts";

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

/** How many rows are lacking in the index that lacks most: those of texts, and that of vectors if there is one. */
const mostUnindexed = (rows: Tidied["unindexedRows"]): number => {
  const ofTexts = textColumns.map((column) => rows[column] ?? Number.POSITIVE_INFINITY);
  return Math.max(...ofTexts, rows.vector ?? 0);
};

/** The table, whose added rows are kept until they are indexed. */
const keepingUnindexed = (
  table: StoreTable<StoredSnippet>,
  unindexed: UnindexedSnippets,
): StoreTable<StoredSnippet> => ({
  ...table,
  add: (scope, rows, durable) => unindexed.add(rows, () => table.add(scope, rows, durable)),
  async remove(scope, column, values, durable) {
    if (column !== "revision") unindexed.invalidate();
    await table.remove(scope, column, values, durable);
    unindexed.remove(values);
  },
});

const openSegment = async (
  lance: Lance,
  tables: Pick<MaintainedTables, "open">,
  rows: TableDefinition<StoredSnippet>,
  dimensions: number,
): Promise<SnippetSegment> => {
  const vectorIndex = createVectorIndexState();
  const unindexed = createUnindexedSnippets();
  const opened = await tables.open(rows, maxUntidied.searched, {
    begin: unindexed.beginUpkeep,
    vectorIndex,
    warm: (version) => warmIndex(lance, version, vectorIndex.isBuilt() ? dimensions : null),
    noteUnindexed: (rows) => unindexed.noteUnindexed(mostUnindexed(rows)),
    end: unindexed.endUpkeep,
    fail: unindexed.failUpkeep,
    invalidate: unindexed.invalidate,
    searchesAdded: unindexed.isComplete,
  });
  // Else the first questions after a start would do without the index of vectors, and look for rows that no index holds.
  const lacking = await countUnindexed(opened.lance);
  unindexed.noteOpened(mostUnindexed(lacking));
  if ("vector" in lacking && !vectorIndex.isBuilt()) vectorIndex.note(await opened.count());
  const table = keepingUnindexed(opened, unindexed);
  return { table, hasVectorIndex: vectorIndex.isBuilt, recent: createRecentSnippets(), unindexed };
};

/** Opens the tables of an index; makes the first where it is missing. */
export const createIndexOpener =
  (lance: Lance, tables: Pick<MaintainedTables, "open">, segmented: Pick<SegmentedTables, "open">) =>
  async (info: IndexInfo): Promise<LiveIndex> => {
    const rows = snippetRows(info.id, info.dimensions);
    const segments = await segmented.open<StoredSnippet, SnippetSegment>(rows.name, (name) =>
      openSegment(lance, tables, { ...rows, name }, info.dimensions),
    );
    const filled = new Set<string>();
    if (info.state === "building") {
      await segments.visit(["revision"], "true", (row) => {
        filled.add(row.string("revision"));
        return true;
      });
    }
    return { info, segments, filled };
  };
