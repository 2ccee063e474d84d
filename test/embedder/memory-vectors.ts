import type { DocumentRecord, VectorSetDescription, VectorSetInfo } from "../../src/domain/records.ts";
import type { Store, VectorStore } from "../../src/store/contract.ts";
import { embeddingInputHash } from "../../src/text/chunk/chunk.ts";

interface MemorySet {
  info: VectorSetInfo;
  /** By revision: the vectors of its snippets, by hash. */
  rows: Map<string, { organizationId: string; vectors: Map<string, Float32Array>; isWhole: boolean }>;
}

/** A vector store in memory that keeps its contract and refuses what breaks it, with what tests want to know of it. */
export interface MemoryVectors extends VectorStore {
  /** Ids of the documents whose vectors were added, commit by commit. */
  readonly commits: string[][];
  /** The vector that the active set (or the one being built) has of a document's snippet. */
  vectorOf(document: Pick<DocumentRecord, "revision">, inputHash: string): Float32Array | null;
}

const isSame = (set: VectorSetInfo, description: VectorSetDescription): boolean =>
  (["provider", "model", "dimensions", "modelRevision", "analysisVersion"] as const).every(
    (field) => set[field] === description[field],
  );

/** @param organizations whose documents it holds */
export const createMemoryVectors = (
  { documents, indexes }: Pick<Store, "documents" | "indexes">,
  organizations: () => Promise<readonly string[]>,
): MemoryVectors => {
  let active: MemorySet | null = null;
  let building: MemorySet | null = null;
  const commits: string[][] = [];

  const current = async (): Promise<DocumentRecord[]> => {
    const all: DocumentRecord[] = [];
    for (const organizationId of await organizations()) {
      const tenant = { organizationId, partitionId: null };
      const page = await documents.list(tenant, {}, { limit: 100_000, skip: 0, sortOrder: "desc" });
      all.push(...page.items.filter(({ revision }) => revision !== null));
    }
    return all.sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));
  };
  const filled = (): MemorySet | null => building ?? active;
  const has = ({ revision }: Pick<DocumentRecord, "revision">): boolean =>
    filled()?.rows.get(revision ?? "")?.isWhole === true;
  const lacking = async (): Promise<DocumentRecord[]> => (await current()).filter((document) => !has(document));

  return {
    commits,
    vectorOf: ({ revision }, inputHash) =>
      (active ?? building)?.rows.get(revision ?? "")?.vectors.get(inputHash) ?? null,
    active: () => active?.info ?? null,
    building: () => building?.info ?? null,
    async begin(description) {
      for (const set of [active, building]) if (set !== null && isSame(set.info, description)) return set.info;
      const isFirst = (await current()).length === 0;
      const state = isFirst ? "active" : "building";
      const info: VectorSetInfo = { ...description, id: Bun.randomUUIDv7(), state, createdAt: Date.now() };
      if (isFirst) [active, building] = [{ info, rows: new Map() }, null];
      else building = { info, rows: new Map() };
      return info;
    },
    async lacking(limit, isPassedOver = () => false) {
      return (await lacking()).filter(({ revision }) => !isPassedOver(revision ?? "")).slice(0, limit);
    },
    isLacking: () => true, // it is not known without a query
    async pending() {
      const all = await current();
      const without = all.filter((document) => !has(document));
      const snippetsOf = (some: DocumentRecord[]) => some.reduce((sum, { progress }) => sum + progress.chunks, 0);
      return {
        documents: without.length,
        snippets: snippetsOf(without),
        totalDocuments: all.length,
        totalSnippets: snippetsOf(all),
      };
    },
    haveVectors: async (asked) => asked.map(has),
    async known(setId, organizationId, inputHashes) {
      const found = new Map<string, Float32Array>();
      const set = [active, building].find((one) => one?.info.id === setId);
      for (const row of set?.rows.values() ?? []) {
        if (row.organizationId !== organizationId) continue;
        for (const hash of inputHashes) {
          const vector = row.vectors.get(hash);
          if (vector !== undefined) found.set(hash, vector);
        }
      }
      return found;
    },
    async add(setId, additions) {
      const set = filled();
      if (set?.info.id !== setId) throw new Error("vectors for a set that is not the one being filled");
      const now = new Map((await current()).map(({ id, revision }) => [id, revision]));
      const held = await indexes.snippetsOf(additions.map(({ document }) => document));
      for (const { document, vectors, isPart = false } of additions) {
        if (vectors.some(({ vector }) => vector.length !== set.info.dimensions)) throw new Error("a wrong length");
        if (now.get(document.id) !== document.revision || document.revision === null) continue;
        const { organizationId } = document;
        const row = set.rows.get(document.revision) ?? { organizationId, vectors: new Map(), isWhole: false };
        for (const { inputHash, vector } of vectors) row.vectors.set(inputHash, vector);
        const wanted = new Set((held.get(document.id) ?? []).map(embeddingInputHash));
        if (!isPart && row.vectors.size !== wanted.size) throw new Error("not the vectors of the whole document");
        set.rows.set(document.revision, { ...row, isWhole: !isPart });
      }
      commits.push(additions.map(({ document }) => document.id));
    },
    refused: async () => [],
    reopen: async () => undefined,
    async promote() {
      if (building === null) throw new Error("no set is being built");
      if ((await lacking()).length > 0) return false;
      building.info.state = "active";
      [active, building] = [building, null];
      return true;
    },
    async abandon() {
      building = null;
    },
    async clear() {
      [active, building] = [null, null];
    },
  };
};
