import type { VectorStore } from "../contract/vectors.ts";
import { isOneOf } from "../engine/filters.ts";
import { findVectors } from "../search/find-vectors.ts";
import { allOfVectorSets, filledSet } from "../search/live-vector-sets.ts";
import { createRefusedTexts } from "./refused-texts.ts";
import { createVectorAdditions } from "./vector-additions.ts";
import { createVectorSetChanges, type VectorSetDependencies } from "./vector-set-changes.ts";

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
