import type { VectorSetDescription, VectorSetInfo } from "../../domain/records.ts";
import type { VectorStore } from "../contract/vectors.ts";
import { allOf, isOneOf } from "../engine/filters.ts";
import { allOfVectorSets, filledSet, isMadeAlike, type LiveVectorSet } from "../search/live-indexes.ts";
import { findVectors } from "../search/model-vectors.ts";
import type { OpenVectorSets } from "../search/open-indexes.ts";
import type { DocumentTables } from "./document-tables.ts";
import { createVectorAdditions } from "./vector-additions.ts";

const isRefused = "vector IS NULL";

/** The texts that the model refused. */
const createRefusedTexts = ({
  sets,
  documents,
  lacking,
  gate,
}: Pick<DocumentTables, "documents" | "lacking" | "gate"> & Pick<OpenVectorSets, "sets">): Pick<
  VectorStore,
  "refused" | "reopen"
> => ({
  async refused() {
    const set = filledSet(sets);
    if (set === null) return [];
    const columns = ["organizationId", "documentId", "revision", "inputHash"];
    const rows = await set.segments.scan(columns, isRefused, (row) => ({
      organizationId: row.string("organizationId"),
      documentId: row.string("documentId"),
      revision: row.string("revision"),
      inputHash: row.string("inputHash"),
    }));
    return [...Map.groupBy(rows, ({ revision }) => revision)].map(([revision, own]) => ({
      organizationId: own[0]?.organizationId ?? "",
      documentId: own[0]?.documentId ?? "",
      revision,
      inputHashes: [...new Set(own.map(({ inputHash }) => inputHash))],
    }));
  },
  async reopen(setId, refused) {
    if (refused.length === 0) return;
    // The gate holds back all publishing: no document is replaced between the two changes.
    await gate.exclusive(async () => {
      const set = filledSet(sets);
      if (set === null || set.info.id !== setId) return;
      await lacking.ready();
      const revisions = refused.map(({ revision }) => revision).filter(lacking.isWhole);
      const ids = refused.map(({ documentId }) => documentId);
      const found = await documents.find({ where: isOneOf("id", ids) });
      await set.segments.removeWhere(allOf(isOneOf("revision", revisions), isRefused));
      for (const { id, organizationId, revision, createdAt } of found)
        if (revision !== null && revisions.includes(revision))
          lacking.reopen({ id, organizationId, revision, createdAt });
    });
  },
});

interface VectorSetDependencies extends DocumentTables, OpenVectorSets {}

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
const createVectorSetChanges = (
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

export const createVectorStore = (dependencies: VectorSetDependencies): VectorStore => {
  const { documents, live, sets, lacking, gate } = dependencies;
  const addVectors = createVectorAdditions(dependencies);

  /** Asks at a moment when the answer is known. @param without the answer if no set is filled */
  const ask = async <R>(question: () => R, without: R): Promise<R> => {
    while (filledSet(sets) !== null) {
      await lacking.ready();
      if (lacking.isKnown()) return question();
    }
    return without;
  };

  return {
    active: () => sets.active?.info ?? null,
    building: () => sets.building?.info ?? null,
    async lacking(limit, isPassedOver = () => false) {
      const wanted = await ask(() => lacking.take(limit, ({ revision }) => isPassedOver(revision)), []);
      if (wanted.length === 0) return [];
      const ids = wanted.map(({ id }) => id);
      const found = await documents.find({ where: isOneOf("id", ids) });
      const byId = new Map(found.map((document) => [document.id, document]));
      return wanted.flatMap(({ id, revision }) => {
        const document = byId.get(id);
        return document?.revision === revision ? [document] : [];
      });
    },
    isLacking: (revision) => !lacking.isKnown() || lacking.get(revision) !== undefined,
    async pending() {
      const totals = await ask(lacking.totals, null);
      if (totals !== null) return totals;
      const totalDocuments = await documents.count("revision IS NOT NULL");
      return { documents: 0, snippets: 0, totalDocuments, totalSnippets: await live.active.segments.count() };
    },
    haveVectors: (asked) =>
      ask(
        () => asked.map(({ revision }) => revision !== null && lacking.isWhole(revision)),
        asked.map(({ revision }) => revision !== null),
      ),
    async known(setId, organizationId, inputHashes) {
      const set = allOfVectorSets(sets).find(({ info }) => info.id === setId);
      if (set === undefined) return new Map();
      const found = await findVectors(set, [organizationId], inputHashes);
      const { dimensions } = set.info;
      return new Map([...found].map(([hash, vector]) => [hash, vector?.slice() ?? new Float32Array(dimensions)]));
    },
    add: (setId, additions) => gate.shared(() => addVectors(setId, additions)),
    ...createRefusedTexts(dependencies),
    ...createVectorSetChanges(dependencies),
  };
};
