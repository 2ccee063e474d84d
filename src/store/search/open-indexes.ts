import type { IndexDescription, IndexInfo, VectorSetInfo } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import { float, integer, oneOf, text } from "../engine/columns.ts";
import type { Engine } from "../engine/maintained-tables.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable } from "../engine/table-definition.ts";
import type { TableOpener } from "../engine/tables.ts";
import { maxUntidied } from "../engine/upkeep-due.ts";
import { createVectorIndexState } from "../engine/vector-index.ts";
import { baseOf } from "../segments/catalog.ts";
import type { SegmentedTables } from "../segments/open-segments.ts";
import type { Segment } from "../segments/segments.ts";
import type { LiveIndex, LiveIndexes, LiveVectorSet, LiveVectorSets } from "./live-indexes.ts";
import { type StoredVector, snippetTableName, vectorRows, vectorSetRows, vectorTableName } from "./snippet-rows.ts";

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
  segmented: Pick<SegmentedTables, "removeStrays">;
  log: Logger;
}

/** Opens the active index and the one being built, and removes what an interrupted change of index left. */
export const openLiveIndexes = async (options: OpenIndexesOptions): Promise<LiveIndexes> => {
  const { opener, indexes, openIndex, log } = options;
  const known = await indexes.find({});
  const tables = (await opener.names()).filter((name) => name.startsWith(snippetTableName("")));
  const hasTable = ({ id }: IndexInfo): boolean => tables.includes(snippetTableName(id));

  let active = chooseActive(known);
  if (active !== null && !hasTable(active)) {
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
  await options.segmented.removeStrays(
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
