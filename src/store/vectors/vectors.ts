import type { VectorStore } from "../contract/vectors.ts";

/** A store without vector sets. */
export const createVectorStore = (): VectorStore => ({
  active: () => null,
  building: () => null,
  begin: async () => {
    throw new Error("there are no vector sets yet");
  },
  lacking: async () => [],
  pending: async () => ({ documents: 0, snippets: 0, totalDocuments: 0 }),
  haveVectors: async (documents) => documents.map(() => true),
  known: async () => new Map(),
  add: async () => undefined,
  promote: async () => true,
  abandon: async () => undefined,
  clear: async () => undefined,
});
