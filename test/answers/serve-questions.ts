import type { Config } from "../../config/schema.ts";
import type { ChatModel } from "../../providers/contract.ts";
import { createVisitorLimits } from "../../src/access/visitor-limits.ts";
import type { PassageModel } from "../../src/answers/quote/nearness.ts";
import { questionEndpoints } from "../../src/answers/routes.ts";
import { chatEndpoints } from "../../src/chats/routes.ts";
import type { DocumentRecord, Tenant } from "../../src/domain/records.ts";
import { openAiEndpoints } from "../../src/openai/routes.ts";
import type { Retrieval, RetrievalRequest } from "../../src/retrieval/contract.ts";
import type { Store } from "../../src/store/contract.ts";
import { analyze, analyzeQuery } from "../../src/text/analysis/analyze.ts";
import { chunkText } from "../../src/text/chunk/chunk-text.ts";
import { sampleDocument } from "../../tools/samples/records.ts";
import type { KeyOptions } from "../issue-key.ts";
import { serveEndpoints, withoutModel } from "../serve-endpoints.ts";

/** The question and chat operations (`serveEndpoints`) over documents that are stored without a pipeline. */
export interface TestServer {
  url: string;
  store: Store;
  /** Name of the organization -> its id; made when first asked for. */
  organization(name: string): Promise<string>;
  key(options?: KeyOptions): Promise<string>;
  /** Stores a document as ingest does. */
  document(text: string, change?: Partial<DocumentRecord>): Promise<DocumentRecord>;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  answerModel?: ChatModel | null;
  config?: (config: Config) => void;
}

/** Knows no language: passages are compared by their words. */
const noPassageModel: PassageModel = { model: "none", embed: async () => [], fusionWeight: () => 0 };

export const serveQuestions = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const { config: configure, answerModel = null } = options;
  const { url, store, key, stop } = await serveEndpoints({
    ...(configure === undefined ? {} : { configure }),
    endpoints(deps) {
      const retrieve = (tenant: Tenant, request: RetrievalRequest) => retrieveByWords(deps.store, tenant, request);
      const parts = {
        ...deps,
        answerModel,
        retrieve,
        embedder: withoutModel,
        passageModel: noPassageModel,
        meaningModel: noPassageModel,
      };
      return [
        ...questionEndpoints(parts),
        ...openAiEndpoints(parts),
        ...chatEndpoints(parts, createVisitorLimits(deps.config.publicChats)),
      ];
    },
  });
  const organization = async (name: string) => (await store.organizations.upsert(name)).id;

  return {
    url,
    store,
    organization,
    key,
    stop,
    async document(text, change = {}) {
      const organizationId = change.organizationId ?? (await organization("default"));
      const document = sampleDocument({ ...change, organizationId });
      const snippets = chunkText(text, []).map((chunk, position) => ({
        ...chunk,
        id: Bun.randomUUIDv7(),
        organizationId,
        documentId: document.id,
        partitionId: document.partitionId,
        revision: document.revision,
        position,
        terms: analyze(chunk.text).join(" "),
        headingTerms: analyze(chunk.headings.join("\n")).join(" "),
        titleTerms: analyze(document.name).join(" "),
        vectors: new Map([[store.indexes.active().id, null]]),
      }));
      await store.documents.publish(document, text, snippets);
      return document;
    },
  };
};

/**
 * Retrieval by full text alone, without gate or fusion: these tests are about what is made of the snippets found. The
 * words of earlier turns count a little, so that follow-ups can be told from first questions.
 */
const retrieveByWords = async (store: Store, tenant: Tenant, request: RetrievalRequest): Promise<Retrieval> => {
  const view = store.openSnippets();
  try {
    const terms = new Map<string, number>();
    const texts = [...request.history.map(({ text }) => ({ text, weight: 0.2 })), { text: request.query, weight: 1 }];
    for (const { text, weight } of texts) for (const { term } of analyzeQuery(text).terms) terms.set(term, weight);
    const scope = { documentId: request.documentId, partitionId: request.partitionId, metadata: request.metadata };
    const weighted = [...terms].map(([term, weight]) => ({ term, weight }));
    const [hits, count] = await Promise.all([
      view.searchText(tenant, scope, weighted, { limit: 100, titleWeight: 1, headingWeight: 1 }),
      view.count(tenant, scope),
    ]);
    const snippets = hits.slice(0, request.limit).map((hit) => ({ ...hit, distance: 1, score: 1 }));
    const over = hits.length - snippets.length;
    return {
      snippets,
      nearest: snippets,
      certainty: snippets.length > 0 ? "sure" : "none",
      confidence: snippets.length > 0 ? 1 : 0,
      // As of a question that is surely answered: what is quoted decides.
      refusedAbove: snippets.length > 0 ? 0.99 : 0,
      query: request.query,
      understood: request.query,
      searched: { ...count, text: hits.length, vectors: 0 },
      dropped: over > 0 ? [{ reason: "over_limit", count: over }] : [],
      warnings: [],
    };
  } finally {
    view.close();
  }
};
