import type { VectorSetInfo } from "../../domain/records.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { maxUntidied } from "../engine/upkeep-due.ts";
import type { Engine } from "../open-engine.ts";
import { createVectorIndexState } from "../search/vector-index.ts";
import type { LiveVectorSet, LiveVectorSets } from "./live-vector-sets.ts";
import { vectorRows, vectorSetRows, vectorTableName } from "./vector-rows.ts";

interface OpenVectorSetsOptions {
  engine: Engine;
  /** Whether rows of `vector_sets` may be missing: then a table that it does not name is kept. */
  isIncomplete: boolean;
  setAside(tableName: string): Promise<void>;
}

/** The vector sets, and what is needed to change them. */
export interface OpenVectorSets {
  readonly sets: LiveVectorSets;
  /** The table that names them. */
  readonly setRows: StoreTable<VectorSetInfo>;
  /** Opens the table of a set; makes it where it is missing. */
  openSet(info: VectorSetInfo): Promise<LiveVectorSet>;
  /** Removes the table of a set. */
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
}: OpenVectorSetsOptions): Promise<OpenVectorSets> => {
  const { tables, opener } = engine;
  const setRows = await tables.open(vectorSetRows);
  const openSet = async (info: VectorSetInfo): Promise<LiveVectorSet> => {
    const rows = vectorRows(info.id, info.dimensions);
    return { info, table: await tables.open(rows, maxUntidied.searched, { vectorIndex: createVectorIndexState() }) };
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
  const keptTables = kept.map(vectorTableName);
  for (const name of await opener.names()) {
    if (!name.startsWith(vectorTableName("")) || keptTables.includes(name)) continue;
    await (isIncomplete ? setAside(name) : opener.drop(name));
  }
  return { sets, setRows, openSet, dropSet: ({ table }) => tables.drop(table.definition.name) };
};
