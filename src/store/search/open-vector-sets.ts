import type { VectorSetInfo } from "../../domain/records.ts";
import type { Engine } from "../engine/maintained-tables.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { maxUntidied } from "../engine/upkeep-due.ts";
import { createVectorIndexState } from "../engine/vector-index.ts";
import type { SegmentedTables } from "../segments/open-segments.ts";
import type { Segment } from "../segments/segments.ts";
import type { LiveVectorSet, LiveVectorSets } from "./live-indexes.ts";
import { type StoredVector, vectorRows, vectorSetRows, vectorTableName } from "./snippet-rows.ts";

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
