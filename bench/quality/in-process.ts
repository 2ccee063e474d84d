import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfig, loadConfig } from "../../config/load.ts";
import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { createEmbeddingModel } from "../../providers/registry.ts";
import { quoteAnswer } from "../../src/answers/quote/quote.ts";
import type { Tenant } from "../../src/domain/records.ts";
import type { Collection, Collections, Legs } from "../../src/evaluation/collection.ts";
import { createLogger } from "../../src/log.ts";
import { createMiniLm } from "../../src/program/configured-models.ts";
import { createRetriever } from "../../src/retrieval/retrieve.ts";
import type { Store } from "../../src/store/contract.ts";
import { openStore } from "../../src/store/open.ts";
import { analysisVersion } from "../../src/text/analysis/analyze.ts";
import { sampleDocument } from "../../tools/samples/records.ts";
import { requestFor, silent, snippetsOf } from "../../tools/samples/snippets.ts";

const log = createLogger({ level: "error", format: "text" });
/** The default of `answers.refusalThreshold`: what a fresh installation does is what is measured. */
const refusalThreshold = 0.5;
/** Documents published at a time. */
const atOnce = 64;
/** Questions under way at a time. */
const questionsAtOnce = 2;
const forever = new AbortController().signal;

/** The embeddings that are measured: built-in ones by name, or those of a settings file. */
export interface ChosenEmbedding {
  model: string;
  config: string | undefined;
}

export const embeddingOf = async ({ model, config: file }: ChosenEmbedding): Promise<EmbeddingModel> => {
  const { config } =
    file === undefined ? { config: defaultConfig() } : await loadConfig({ file, env: process.env, cwd: process.cwd() });
  const chosen = file === undefined ? { ...config.models.embedding, model } : config.models.embedding;
  return createEmbeddingModel(chosen, () => createMiniLm(chosen, tmpdir(), null));
};

/** Asks the retriever itself, over a store of its own for each set. */
export const createInProcessCollections = (embeddings: EmbeddingModel): Collections => {
  const opened: { store: Store; folder: string }[] = [];
  return {
    async ingest(_name, documents) {
      const folder = await mkdtemp(join(tmpdir(), "carrel-quality-"));
      const { provider, model } = embeddings;
      const dimensions = await embeddings.dimensions(forever);
      const index = { provider, model, dimensions, analysisVersion };
      const store = await openStore({ dataDir: folder, index, log, syncWrites: false });
      opened.push({ store, folder });
      const { id: organizationId } = await store.organizations.upsert("default");
      const tenant: Tenant = { organizationId, partitionId: null };
      const idOfDocument = new Map<string, string>();
      // Many at a time: the store writes what comes together in one commit.
      for (let start = 0; start < documents.length; start += atOnce) {
        await Promise.all(
          documents.slice(start, start + atOnce).map(async ({ id, title, text, pages }) => {
            const record = sampleDocument({ organizationId, name: title || id });
            idOfDocument.set(record.id, id);
            const snippets = await snippetsOf(record, text, store.indexes.active().id, embeddings, pages);
            await store.documents.publish(record, text, snippets);
          }),
        );
      }
      return collection(store, tenant, embeddings, idOfDocument);
    },
    async close() {
      for (const { store, folder } of opened) {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
};

const collection = (
  store: Store,
  tenant: Tenant,
  embeddings: EmbeddingModel,
  idOfDocument: ReadonlyMap<string, string>,
): Collection => {
  const retrievers = {
    fused: embeddings,
    text: failing(embeddings),
    vectors: { ...embeddings, fusionWeight: () => 1 },
  } satisfies Record<Legs, EmbeddingModel>;
  const ask = (query: string, limit: number, legs: Legs, answer: boolean) => {
    const request = requestFor(query, { limit, wantsAnswer: answer });
    const model = retrievers[legs];
    // The gate was fitted to the order of the fusion: vectors by themselves are measured without it.
    const threshold = legs === "vectors" ? 0 : refusalThreshold;
    const retrieve = createRetriever({
      store,
      embeddings: () => model,
      vectorModelFor: () => null,
      refusalThreshold: threshold,
      log: silent,
    });
    return retrieve(tenant, request, forever);
  };
  return {
    legs: ["fused", "text", "vectors"],
    maxAtOnce: questionsAtOnce,
    async search(query, limit, legs) {
      const { snippets, refusedAbove } = await ask(query, limit, legs, false);
      const pieces = snippets.map(({ documentId, start, end, page }) => ({
        document: idOfDocument.get(documentId) ?? documentId,
        start,
        end,
        page,
      }));
      return { pieces, refusedAbove };
    },
    async answer(query) {
      const { snippets, understood } = await ask(query, 6, "fused", true);
      const quotations = quoteAnswer(understood, snippets).map(({ text }) => text);
      return { quotations, snippets: snippets.map(({ text }) => text), byModel: false };
    },
  };
};

/** A model that is not there: full text answers alone. */
const failing = (model: EmbeddingModel): EmbeddingModel => ({
  ...model,
  embed: () => Promise.reject(new ProviderError("embedding", "unreachable", "left out to measure full text alone")),
});
