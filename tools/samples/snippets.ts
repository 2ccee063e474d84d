import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddingModel } from "../../providers/contract.ts";
import type { DocumentRecord, JsonObject, NewSnippet, Tenant } from "../../src/domain/records.ts";
import { analyzeChunks } from "../../src/ingest/index/analyzed-text.ts";
import { toSnippets } from "../../src/ingest/index/publication.ts";
import { createLogger } from "../../src/log/log.ts";
import type { RetrievalRequest } from "../../src/retrieval/contract.ts";
import type { EmbedQuestion } from "../../src/retrieval/question-limit.ts";
import { createRetriever } from "../../src/retrieval/retrieve.ts";
import type { Store } from "../../src/store/contract.ts";
import { openStore } from "../../src/store/open.ts";
import { analysisVersion } from "../../src/text/analysis/analyze.ts";
import type { PageStart } from "../../src/text/chunk/chunk.ts";
import { embeddingInput } from "../../src/text/chunk/chunk.ts";
import { sampleDocument } from "./records.ts";

export const silent = createLogger({ level: "error", format: "text" }, () => {});
const never = new AbortController().signal;
const dimensions = 64;

/** Words hashed into a small vector: texts that share words are near. Enough to tell the legs apart. */
export const hashingModel = (change: Partial<EmbeddingModel> = {}): EmbeddingModel => ({
  provider: "test",
  model: "hashing",
  dimensions: async () => dimensions,
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(dimensions);
      for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
        const place = Number(Bun.hash(word) % BigInt(dimensions));
        vector[place] = (vector[place] ?? 0) + 1;
      }
      const length = Math.hypot(...vector) || 1;
      return vector.map((value) => value / length);
    }),
  fusionWeight: () => 0.3,
  ...change,
});

export interface Library {
  store: Store;
  tenant: Tenant;
  /** Publishes a text under a name; another text under the same id replaces it. @returns the document's id */
  put(name: string, text: string, options?: { partitionId?: string; metadata?: JsonObject }): Promise<string>;
  find(query: string, request?: Partial<RetrievalRequest>): ReturnType<ReturnType<typeof createRetriever>>;
  /** A retriever over the same store with another model, limit or threshold. */
  retriever(change: {
    model?: EmbeddingModel;
    embedQuestion?: EmbedQuestion;
    refusalThreshold?: number;
  }): ReturnType<typeof createRetriever>;
  close(): Promise<void>;
}

/** A real store in a temporary folder, filled as the server fills it. */
export const openLibrary = async (): Promise<Library> => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-retrieval-"));
  const model = hashingModel();
  const index = { provider: model.provider, model: model.model, dimensions, analysisVersion };
  const store = await openStore({ dataDir, index, log: silent, syncWrites: false });
  const { id: organizationId } = await store.organizations.upsert("default");
  const tenant: Tenant = { organizationId, partitionId: null };
  const library: Library = {
    store,
    tenant,
    async put(name, text, options = {}) {
      const document = sampleDocument({ organizationId, name, ...options });
      const snippets = await snippetsOf(document, text, store.indexes.active().id, model);
      await store.documents.publish(document, text, snippets);
      return document.id;
    },
    find: (query, request = {}) => library.retriever({})(tenant, requestFor(query, request), never),
    retriever: ({ model: other = model, refusalThreshold = 0, ...limit }) =>
      createRetriever({
        store,
        embeddings: () => other,
        vectorModelFor: () => null,
        refusalThreshold,
        ...limit,
        log: silent,
      }),
    async close() {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return library;
};

/** The snippets of a document as an ingest makes them, for one index and without what an ingest does around it. */
export const snippetsOf = async (
  document: DocumentRecord & { revision: string },
  text: string,
  index: string,
  model: EmbeddingModel,
  pages: readonly PageStart[] = [],
): Promise<NewSnippet[]> => {
  const analyzed = await analyzeChunks(text, [...pages], never);
  const vectors = await model.embed(
    analyzed.map(({ chunk }) => embeddingInput(chunk)),
    "document",
    never,
  );
  const chunks = analyzed.map((one, at) => ({ ...one, vectors: new Map([[index, vectors[at] ?? null]]) }));
  return toSnippets(document, document.revision, { title: null, coverTerms: "", chunks });
};

export const requestFor = (query: string, request: Partial<RetrievalRequest> = {}): RetrievalRequest => ({
  query,
  history: [],
  documentId: null,
  partitionId: null,
  metadata: null,
  limit: 6,
  ...request,
});
