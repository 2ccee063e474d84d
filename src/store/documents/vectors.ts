import type { DocumentRecord, VectorSetDescription, VectorSetInfo } from "../../domain/records.ts";
import type { VectorStore } from "../contract/vectors.ts";
import { allOf, isOneOf } from "../engine/filters.ts";
import {
  allOfVectorSets,
  filledSet,
  isMadeAlike,
  type LiveVectorSet,
  type LiveVectorSets,
} from "../search/live-indexes.ts";
import { findVectors } from "../search/model-vectors.ts";
import type { OpenVectorSets } from "../search/open-indexes.ts";
import { toSnippetPairs } from "../search/scope-filter.ts";
import { checkVector, isZero, type StoredVector } from "../search/snippet-rows.ts";
import type { LackingVectors } from "../vectors/lacking-vectors.ts";
import type { DocumentRecords } from "./document-records.ts";
import type { DocumentTables } from "./document-tables.ts";

type Addition = Parameters<VectorStore["add"]>[1][number];

interface VectorAdditionsOptions {
  sets: LiveVectorSets;
  lacking: LackingVectors;
  records: Pick<DocumentRecords, "findMany">;
}

/** Names a row of one revision. */
const keyOf = (revision: string, position: number, inputHash: string): string => `${revision} ${position} ${inputHash}`;

/** The documents as they are stored: what the rows carry of them decides who finds the rows. */
const storedOf = async (
  records: VectorAdditionsOptions["records"],
  additions: readonly Addition[],
): Promise<Map<string, DocumentRecord>> => {
  const stored = new Map<string, DocumentRecord>();
  for (const [organizationId, own] of Map.groupBy(additions, ({ document }) => document.organizationId)) {
    const ids = own.map(({ document }) => document.id);
    for (const document of await records.findMany({ organizationId, partitionId: null }, ids))
      stored.set(document.id, document);
  }
  return stored;
};

const rowsOf = ({ vectors }: Addition, stored: DocumentRecord & { revision: string }): StoredVector[] => {
  const { id, organizationId, partitionId, revision } = stored;
  const metadataPairs = toSnippetPairs(stored.metadata);
  return vectors.map(({ position, inputHash, vector }) => ({
    organizationId,
    documentId: id,
    partitionId,
    revision,
    metadataPairs,
    position,
    inputHash,
    vector: isZero(vector) ? null : vector,
  }));
};

/**
 * Adds vectors of documents to the set being filled. No lock is held: a revision that is current when its rows are
 * queued is removed, if ever, by a write that is queued later, and the queue of the table keeps their order.
 */
const createVectorAdditions = ({ sets, lacking, records }: VectorAdditionsOptions): VectorStore["add"] => {
  /** Revisions whose rows are being written. */
  const writing = new Set<string>();

  const isWanted = (revision: string | null): revision is string =>
    revision !== null && lacking.get(revision) !== undefined && !writing.has(revision);

  /** Rows that are there already: a part, carried over from an earlier revision, or of a write that was said to have failed. */
  const presentOf = async ({ segments }: LiveVectorSet, additions: readonly Addition[]): Promise<Set<string>> => {
    const partial = additions.flatMap(({ document: { revision } }) =>
      revision !== null && lacking.get(revision)?.mayHoldSome ? [revision] : [],
    );
    if (partial.length === 0) return new Set();
    const where = isOneOf("revision", partial);
    const columns = ["revision", "position", "inputHash"];
    return new Set(
      await segments.scan(columns, where, (row) =>
        keyOf(row.string("revision"), row.number("position"), row.string("inputHash")),
      ),
    );
  };

  return async (setId, additions) => {
    const set = filledSet(sets);
    if (set === null || set.info.id !== setId) return; // it was dropped meanwhile
    for (const { vectors } of additions)
      for (const { vector } of vectors) checkVector(vector, set.info.dimensions, "vector set");
    await lacking.ready();
    const stored = await storedOf(records, additions);
    const present = await presentOf(set, additions);
    await set.segments.append(async (newest) => {
      // From here to the queue in one step: nothing can be replaced or removed in between.
      const revisions: string[] = [];
      const parts = new Set<string>();
      const rows: StoredVector[] = [];
      for (const addition of additions) {
        const document = stored.get(addition.document.id);
        const { revision } = addition.document;
        if (!isWanted(revision) || document?.revision !== revision) continue;
        writing.add(revision);
        revisions.push(revision);
        if (addition.isPart) parts.add(revision);
        for (const row of rowsOf(addition, { ...document, revision }))
          if (!present.has(keyOf(revision, row.position, row.inputHash))) rows.push(row);
      }
      try {
        await newest.add(revisions, rows, false);
        for (const revision of revisions) if (!parts.has(revision)) lacking.complete(revision);
      } finally {
        // Those of which a part was written, and those of a write that failed: it may have left rows all the same.
        for (const revision of revisions) lacking.hold(revision);
        for (const revision of revisions) writing.delete(revision);
      }
    });
  };
};

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
