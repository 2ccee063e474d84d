import type { IndexDescription, IndexInfo, VectorSetInfo } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import { float, integer, oneOf, text } from "../engine/columns.ts";
import { equals } from "../engine/filters.ts";
import type { Lance, LanceTable } from "../engine/lance.ts";
import type { Engine, MaintainedTables } from "../engine/maintained-tables.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable, type TableDefinition } from "../engine/table-definition.ts";
import { countUnindexed } from "../engine/table-indexes.ts";
import type { TableOpener } from "../engine/tables.ts";
import { maxUntidied } from "../engine/upkeep-due.ts";
import type { Tidied } from "../engine/upkeep-work.ts";
import { createVectorIndexState, nearestByCodes } from "../engine/vector-index.ts";
import { baseOf } from "../segments/catalog.ts";
import type { SegmentedTables } from "../segments/open-segments.ts";
import type { Segment } from "../segments/segments.ts";
import type { LiveIndex, LiveIndexes, LiveVectorSet, LiveVectorSets, SnippetSegment } from "./live-indexes.ts";
import { createRecentSnippets } from "./recent-snippets.ts";
import {
  type StoredSnippet,
  type StoredVector,
  snippetRows,
  snippetTableName,
  vectorRows,
  vectorSetRows,
  vectorTableName,
} from "./snippet-rows.ts";
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

export const indexRows = defineTable<IndexInfo>({
  name: "indexes",
  key: "id",
  indexes: {},
  columns: {
    id: text,
    provider: text,
    model: text,
    dimensions: integer,
    analysisVersion: integer,
    state: oneOf("active", "building"),
    createdAt: float,
    modelRevision: text,
  },
});

/** No analysis has this version: an index with it is rebuilt from the texts, as soon as the model answers. */
const rebuildVersion = 0;

export const needsRebuild = ({ analysisVersion }: IndexInfo): boolean => analysisVersion === rebuildVersion;

/** Description of a new index. */
export const newIndex = (description: IndexDescription, state: IndexInfo["state"]): IndexInfo => ({
  id: Bun.randomUUIDv7().replaceAll("-", ""),
  provider: description.provider,
  model: description.model,
  dimensions: description.dimensions,
  modelRevision: description.modelRevision ?? "",
  analysisVersion: description.analysisVersion,
  state,
  createdAt: Date.now(),
});

/** The active index. If there are several (a crash between the two writes of `promote`), the one promoted last. */
const chooseActive = (infos: readonly IndexInfo[]): IndexInfo | null =>
  infos.filter(({ state }) => state === "active").sort((a, b) => b.createdAt - a.createdAt)[0] ?? null;

interface OpenIndexesOptions {
  opener: TableOpener;
  indexes: StoreTable<IndexInfo>;
  openIndex(info: IndexInfo): Promise<LiveIndex>;
  /** The description of an index that is made because there is none. */
  describe(): Promise<IndexDescription>;
  /** Whether rows of `indexes` may be missing: then a table that it does not name is kept. */
  isIncomplete: boolean;
  setAside(tableName: string): Promise<void>;
  segmented: Pick<SegmentedTables, "has" | "removeStrays">;
  log: Logger;
}

/** Opens the active index and the one being built, and removes what an interrupted change of index left. */
export const openLiveIndexes = async (options: OpenIndexesOptions): Promise<LiveIndexes> => {
  const { opener, indexes, openIndex, segmented, log } = options;
  const known = await indexes.find({});
  const tables = (await opener.names()).filter((name) => name.startsWith(snippetTableName("")));

  let active = chooseActive(known);
  if (active !== null && !segmented.has(snippetTableName(active.id))) {
    log.warn({ table: snippetTableName(active.id) }, "the search index is missing: it is rebuilt from the texts");
    active = { ...active, analysisVersion: rebuildVersion };
    await indexes.upsert("indexes", [active]); // before its table exists again: after a crash here it would pass for complete
  }
  active ??= await adopt(options, known, tables);
  if (active === null) {
    const description = await options.describe();
    const mark = { dimensions: Math.max(1, description.dimensions), analysisVersion: rebuildVersion };
    active = newIndex(options.isIncomplete ? { ...description, ...mark } : description, "active");
  }
  const buildingInfo = known.find(({ state }) => state === "building") ?? null;
  const live = {
    active: await openIndex(active),
    building: buildingInfo === null ? null : await openIndex(buildingInfo),
  };
  if (!known.some(({ id }) => id === active.id)) await indexes.upsert("indexes", [active]);

  const kept = [live.active.info.id, live.building?.info.id];
  const strayRows = known.map(({ id }) => id).filter((id) => !kept.includes(id));
  await indexes.remove("indexes", "id", strayRows);
  await segmented.removeStrays(
    snippetTableName(""),
    kept.filter((id) => id !== undefined).map(snippetTableName),
    options.isIncomplete ? options.setAside : undefined,
  );
  return live;
};

/**
 * If the row that named the active index is lost, takes the one with the largest table of snippets of those that no row
 * names. The model of its vectors is unknown, so only text search uses it until it is rebuilt.
 */
const adopt = async (
  { opener, log }: OpenIndexesOptions,
  known: readonly IndexInfo[],
  tables: readonly string[],
): Promise<IndexInfo | null> => {
  let largest: { id: string; dimensions: number; rows: number } | null = null;
  for (const name of tables) {
    const id = baseOf(name).slice(snippetTableName("").length);
    if (known.some((info) => info.id === id)) continue;
    const { rows, dimensions } = await opener.measure(name, "vector");
    if (rows > (largest?.rows ?? 0)) largest = { id, dimensions, rows };
  }
  if (largest === null) return null;
  const { id, dimensions } = largest;
  log.warn({ table: snippetTableName(id) }, "the model of the search index is no longer known: it is rebuilt");
  const unknown = { provider: "unknown", model: "unknown", dimensions, analysisVersion: rebuildVersion };
  return { ...newIndex(unknown, "active"), id };
};

interface OpenVectorSetsOptions {
  engine: Engine;
  /** Whether rows of `vector_sets` may be missing: then a table that it does not name is kept. */
  isIncomplete: boolean;
  setAside(tableName: string): Promise<void>;
  segmented: SegmentedTables;
}

/** The vector sets, and what is needed to change them. */
export interface OpenVectorSets {
  readonly sets: LiveVectorSets;
  /** The table that names them. */
  readonly setRows: StoreTable<VectorSetInfo>;
  /** Opens the tables of a set; makes the first where it is missing. */
  openSet(info: VectorSetInfo): Promise<LiveVectorSet>;
  /** Removes the tables of a set. */
  dropSet(set: LiveVectorSet): Promise<void>;
}

/** If there are several (a crash between two writes of a change), the one written last. */
const newest = (known: readonly VectorSetInfo[], state: VectorSetInfo["state"]): VectorSetInfo | null =>
  known.filter((info) => info.state === state).sort((a, b) => b.createdAt - a.createdAt)[0] ?? null;

/**
 * Opens the active vector set and the one being built, and removes what an interrupted change left. A set whose table is
 * lost starts empty: its vectors are made again.
 */
export const openVectorSets = async ({
  engine,
  isIncomplete,
  setAside,
  segmented,
}: OpenVectorSetsOptions): Promise<OpenVectorSets> => {
  const { tables } = engine;
  const setRows = await tables.open(vectorSetRows);
  const openSet = async (info: VectorSetInfo): Promise<LiveVectorSet> => {
    const rows = vectorRows(info.id, info.dimensions);
    const segments = await segmented.open<StoredVector, Segment<StoredVector>>(rows.name, async (name) => ({
      table: await tables.open({ ...rows, name }, maxUntidied.searched, { vectorIndex: createVectorIndexState() }),
    }));
    return { info, segments };
  };

  const known = await setRows.find({});
  const active = newest(known, "active");
  const building = newest(known, "building");
  const sets = {
    active: active === null ? null : await openSet(active),
    building: building === null ? null : await openSet(building),
  };
  const kept = [active, building].filter((info) => info !== null).map(({ id }) => id);
  const strayRows = known.map(({ id }) => id).filter((id) => !kept.includes(id));
  await setRows.remove("vector_sets", "id", strayRows);
  await segmented.removeStrays(vectorTableName(""), kept.map(vectorTableName), isIncomplete ? setAside : undefined);
  return { sets, setRows, openSet, dropSet: ({ segments }) => segments.drop() };
};
