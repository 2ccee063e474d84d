import type { IndexInfo } from "../../domain/records.ts";
import type { Lance } from "../engine/lance.ts";
import type { MaintainedTables } from "../engine/maintained-tables.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { TableDefinition } from "../engine/table-definition.ts";
import { countUnindexed } from "../engine/table-indexes.ts";
import { maxUntidied } from "../engine/upkeep-due.ts";
import type { Tidied } from "../engine/upkeep-work.ts";
import { createVectorIndexState } from "../engine/vector-index.ts";
import type { SegmentedTables } from "../segments/open-segments.ts";
import type { LiveIndex, SnippetSegment } from "./live-indexes.ts";
import { createRecentSnippets } from "./recent-snippets.ts";
import { type StoredSnippet, snippetRows } from "./snippet-rows.ts";
import { createUnindexedSnippets, type UnindexedSnippets } from "./unindexed-snippets.ts";
import { textColumns, warmIndex } from "./warm-index.ts";

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
