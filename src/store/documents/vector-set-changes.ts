import type { VectorSetDescription, VectorSetInfo } from "../../domain/records.ts";
import type { VectorStore } from "../contract/vectors.ts";
import type { LiveVectorSet } from "../search/live-vector-sets.ts";
import { isMadeAlike } from "../search/live-vector-sets.ts";
import type { OpenVectorSets } from "../search/open-vector-sets.ts";
import type { DocumentTables } from "./document-tables.ts";

export interface VectorSetDependencies extends DocumentTables, OpenVectorSets {}

/** Scope of the writes to the table of sets: they keep their order. */
const writeScope = "vector_sets";

const newSet = (description: VectorSetDescription): VectorSetInfo => ({
  id: Bun.randomUUIDv7().replaceAll("-", ""),
  provider: description.provider,
  model: description.model,
  dimensions: description.dimensions,
  modelRevision: description.modelRevision,
  analysisVersion: description.analysisVersion,
  state: "building",
  createdAt: Date.now(),
});

/** Changes which set is searched and which one is built. Each change holds back all publishing. */
export const createVectorSetChanges = (
  dependencies: VectorSetDependencies,
): Pick<VectorStore, "begin" | "promote" | "abandon" | "clear"> => {
  const { documents, sets, setRows, lacking, revisions, gate, inBackground } = dependencies;

  /** The set is out of use: its row goes now, its table when no view searches it any more. */
  const drop = async (set: LiveVectorSet | null): Promise<void> => {
    if (set === null) return;
    await setRows.remove(writeScope, "id", [set.info.id]);
    inBackground(revisions.viewsClosed().then(() => dependencies.dropSet(set)));
  };

  const dropBuilding = async (): Promise<void> => {
    const { building } = sets;
    if (building === null) return;
    sets.building = null;
    lacking.restart();
    await drop(building);
  };

  /** Writing the row makes the change; removing the old row only tidies up. */
  const activate = async (set: LiveVectorSet): Promise<void> => {
    const { active } = sets;
    const info: VectorSetInfo = { ...set.info, state: "active", createdAt: Date.now() };
    await setRows.upsert(writeScope, [info]);
    set.info = info;
    sets.active = set;
    sets.building = null;
    await drop(active);
  };

  return {
    begin: (description) =>
      gate.exclusive(async () => {
        const { active, building } = sets;
        if (building !== null && isMadeAlike(building.info, description)) return building.info;
        await dropBuilding();
        if (active !== null && isMadeAlike(active.info, description)) return active.info;
        const set = await dependencies.openSet(newSet(description));
        // The gate holds back all publishing: a store without snippets stays so until the set is active. The documents
        // are asked, because a search index that was lost is empty until it is rebuilt.
        if ((await documents.count("revision IS NOT NULL")) === 0) await activate(set);
        else {
          await setRows.upsert(writeScope, [set.info]);
          sets.building = set;
        }
        lacking.restart();
        return set.info;
      }),
    async promote() {
      await lacking.ready(); // outside the gate: it may take a moment, and publishing goes on
      return await gate.exclusive(async () => {
        const { building } = sets;
        if (building === null) throw new Error("no vector set is being built");
        await lacking.ready();
        // The gate holds back all publishing: no document can be missed.
        if (lacking.totals().documents > 0) return false;
        await activate(building);
        return true;
      });
    },
    abandon: () => gate.exclusive(dropBuilding),
    clear: () =>
      gate.exclusive(async () => {
        await dropBuilding();
        const { active } = sets;
        if (active === null) return;
        sets.active = null;
        lacking.restart();
        await drop(active);
      }),
  };
};
