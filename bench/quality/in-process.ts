import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfig, loadConfig } from "../../config/load.ts";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { isBuiltinStatic } from "../../providers/embedding/prefixes.ts";
import { quoteAnswer } from "../../src/answers/quote/quote.ts";
import type { Tenant } from "../../src/domain/records.ts";
import type { Collection, Collections, Legs } from "../../src/evaluation/collection.ts";
import { createLogger } from "../../src/log/log.ts";
import { createEmbeddingModel } from "../../src/models/registry.ts";
import { createRetriever, type Retrieve } from "../../src/retrieval/retrieve.ts";
import { createMiniLm } from "../../src/runtime/configured-models.ts";
import type { Store } from "../../src/store/contract.ts";
import { openStore } from "../../src/store/open.ts";
import { analysisVersion } from "../../src/text/analysis/analyze.ts";
import { sampleDocument } from "../../tools/samples/records.ts";
import { requestFor, silent, snippetsOf } from "../../tools/samples/snippets.ts";
import { addVectors, type Models, refusalThreshold } from "./as-the-server.ts";
import { cachedEmbedding } from "./cached-embedding.ts";

const log = createLogger({ level: "error", format: "text" });
/** Documents published at a time. */
const atOnce = 64;
/** Questions under way at a time. */
const questionsAtOnce = 2;
const forever = new AbortController().signal;

/** The embeddings that are measured: built-in ones by name, or those of a settings file. */
export interface ChosenEmbedding {
  model: string;
  config: string | undefined;
  /** The folder that keeps its vectors; left out: each text is embedded whenever it comes. */
  vectors?: string | undefined;
}

/** A question waits for a busy machine, and for the model to be loaded: what one that is too slow does is not what is measured. */
const timeoutMs = 600_000;

export const embeddingOf = async ({ model, config: file, vectors }: ChosenEmbedding): Promise<EmbeddingModel> => {
  const { config } =
    file === undefined ? { config: defaultConfig() } : await loadConfig({ file, env: process.env, cwd: process.cwd() });
  const { embedding } = config.models;
  const chosen = { ...embedding, timeoutMs, ...(file === undefined ? { model } : {}) };
  const miniLm = { ...chosen, patienceMs: timeoutMs };
  const made = await createEmbeddingModel(chosen, () => createMiniLm(miniLm, tmpdir(), null));
  return vectors === undefined ? made : cachedEmbedding(made, vectors);
};

/**
 * Asks the retriever itself, over a store of its own for each set: with static vectors, and those of another model
 * beside them.
 */
export const createInProcessCollections = (chosen: EmbeddingModel): Collections => {
  const opened: { store: Store; folder: string }[] = [];
  return {
    async ingest(_name, documents) {
      const fixed = isBuiltinStatic(chosen) ? chosen : await createStaticEmbedding();
      const folder = await mkdtemp(join(tmpdir(), "carrel-quality-"));
      const { provider, model } = fixed;
      const index = { provider, model, dimensions: await fixed.dimensions(forever), analysisVersion };
      const store = await openStore({ dataDir: folder, index, log, syncWrites: false });
      opened.push({ store, folder });
      const { id: organizationId } = await store.organizations.upsert("default");
      const idOfDocument = new Map<string, string>();
      // Many at a time: the store writes what comes together in one commit.
      for (let start = 0; start < documents.length; start += atOnce) {
        await Promise.all(
          documents.slice(start, start + atOnce).map(async ({ id, title, text, pages }) => {
            const record = sampleDocument({ organizationId, name: title || id });
            idOfDocument.set(record.id, id);
            const snippets = await snippetsOf(record, text, store.indexes.active().id, fixed, pages);
            await store.documents.publish(record, text, snippets);
          }),
        );
      }
      const models = { fixed, model: fixed === chosen ? null : chosen };
      if (models.model !== null) await addVectors(store, models.model);
      return collection({ store, tenant: { organizationId, partitionId: null }, models }, idOfDocument);
    },
    async close() {
      for (const { store, folder } of opened) {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
};

interface OpenCollection {
  store: Store;
  tenant: Tenant;
  models: Models;
}

const collection = (
  { store, tenant, models: { fixed, model } }: OpenCollection,
  idOfDocument: ReadonlyMap<string, string>,
): Collection => {
  const alone = { fusionWeight: () => 1 };
  const legs = {
    fused: { fixed, model },
    text: { fixed: failing(fixed), model: null },
    vectors:
      model === null
        ? { fixed: { ...fixed, ...alone }, model: null }
        : { fixed: failing(fixed), model: { ...model, ...alone } },
  } satisfies Record<Legs, Models>;
  const retrieverOf = (leg: Legs): Retrieve =>
    createRetriever({
      store,
      embeddings: () => legs[leg].fixed,
      vectorModelFor: () => legs[leg].model,
      // The gate was fitted to the order of the fusion: vectors by themselves are measured without it.
      refusalThreshold: leg === "vectors" ? 0 : refusalThreshold,
      log: silent,
    });
  const retrievers = { fused: retrieverOf("fused"), text: retrieverOf("text"), vectors: retrieverOf("vectors") };
  const ask = (query: string, limit: number, leg: Legs) =>
    retrievers[leg](tenant, requestFor(query, { limit }), forever);
  return {
    legs: ["fused", "text", "vectors"],
    maxAtOnce: questionsAtOnce,
    async search(query, limit, leg) {
      const { snippets, refusedAbove } = await ask(query, limit, leg);
      const pieces = snippets.map(({ documentId, start, end, page }) => ({
        document: idOfDocument.get(documentId) ?? documentId,
        start,
        end,
        page,
      }));
      return { pieces, refusedAbove };
    },
    async answer(query) {
      const { snippets, understood } = await ask(query, 6, "fused");
      const quotations = (await quoteAnswer(understood, snippets)).map(({ text }) => text);
      return { quotations, snippets: snippets.map(({ text }) => text), byModel: false };
    },
  };
};

/** A model that is not there: full text answers alone. */
const failing = (model: EmbeddingModel): EmbeddingModel => ({
  ...model,
  embed: () => Promise.reject(new ProviderError("embedding", "unreachable", "left out to measure full text alone")),
});
