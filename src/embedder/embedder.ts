import type { EmbeddingModel } from "../../providers/contract.ts";
import { createNotifier, pause } from "../async/waiting.ts";
import type { DocumentRecord, IndexInfo, VectorSetInfo } from "../domain/records.ts";
import type { PendingVectors, Store } from "../store/contract.ts";
import { pauseAfter } from "./fill-set.ts";
import { createFollower } from "./follower.ts";
import { createIndexUpkeep, type IndexUpkeep } from "./index-upkeep.ts";
import { createKnownModels, type KnownModels, type KnownModelsOptions } from "./known-models.ts";

/** What `GET /api/embedder` and `carrel embedder status` show. */
export interface EmbedderStatus {
  /** `dimensions`: null until the model of an empty store was first reached. */
  active: { provider: string; model: string; dimensions: number | null };
  /** The running change. `done` and `total` count documents; `error`: why it is not progressing, null if it is. */
  building: { provider: string; model: string; done: number; total: number; error: string | null } | null;
  /** Snippets that lack the vectors of the configured model. */
  pending: number;
  /** Why no vectors are made at the moment; null if they are, or if none are lacking. */
  error: string | null;
}

/** What of the store the embedder works with. */
type EmbedderStore = Pick<Store, "documents" | "indexes" | "vectors">;

interface StatusSources {
  store: EmbedderStore;
  builtin: EmbeddingModel;
  /** Null where the built-in static model is enough. */
  configured: EmbeddingModel | null;
  models: KnownModels;
  upkeep: Pick<IndexUpkeep, "progress">;
  /** Of the work that is under way. */
  error: string | null;
}

const statusOf = async (sources: StatusSources): Promise<EmbedderStatus> => {
  const { store, builtin, configured, upkeep, error } = sources;
  const index = store.indexes.active();
  const rebuild = await upkeep.progress();
  const wanted = configured ?? builtin;
  const name = { provider: wanted.provider, model: wanted.model };
  const shown = ({ provider, model, dimensions }: Pick<VectorSetInfo, "provider" | "model" | "dimensions">) => ({
    provider,
    model,
    dimensions,
  });
  if (configured === null) {
    const building = rebuild === null ? null : { ...name, ...progressOf(rebuild), error };
    return { active: shown(index), building, pending: 0, error };
  }
  // Read together, before anything is awaited: what is counted then cannot belong to a change that begins meanwhile.
  const set = store.vectors.active();
  const half = store.vectors.building() ?? set;
  const isHalfCurrent = isCurrent(half, sources);
  const lacking = await pendingOf(store.vectors, isHalfCurrent);
  const isWhole = isCurrent(set, sources) && rebuild === null;
  const isEmpty = set === null && lacking.totalDocuments === 0;
  const why = lacking.documents > 0 || !(isWhole || isEmpty) ? error : null;
  const done = isHalfCurrent ? lacking.totalDocuments - lacking.documents : 0;
  return {
    active: isEmpty ? { ...name, dimensions: null } : shown(set ?? index),
    building: isWhole || isEmpty ? null : { ...name, done, total: lacking.totalDocuments, error: why },
    pending: lacking.snippets,
    error: why,
  };
};

const progressOf = ({ done, total }: { done: number; total: number }) => ({ done, total });

/** Whether the set is what the configuration and this program's analysis ask for. */
const isCurrent = (
  set: VectorSetInfo | null,
  { models, store }: Pick<StatusSources, "models" | "store">,
): set is VectorSetInfo =>
  set !== null && models.isConfigured(set) && set.analysisVersion === store.indexes.active().analysisVersion;

/** @param isCurrent whether the set being filled is what the configuration asks for; else all lack their vectors */
const pendingOf = async (vectors: EmbedderStore["vectors"], isCurrent: boolean): Promise<PendingVectors> => {
  const pending = await vectors.pending();
  const { totalDocuments, totalSnippets } = pending;
  return isCurrent ? pending : { ...pending, documents: totalDocuments, snippets: totalSnippets };
};

/**
 * Models that tell of their answers: one given to a question shows that the model's server can be reached again.
 * @param onAnswer called after each answer
 * @returns the same model, listening; always the same object for one id
 */
const createListeningModels = (onAnswer: () => void): ((id: string, model: EmbeddingModel) => EmbeddingModel) => {
  const known = new Map<string, EmbeddingModel>();
  return (id, model) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const listening: EmbeddingModel = {
      ...model,
      async embed(texts, kind, signal) {
        const vectors = await model.embed(texts, kind, signal);
        onAnswer();
        return vectors;
      },
    };
    known.set(id, listening);
    return listening;
  };
};

/** The models that make vectors, and the work that makes those of documents after they are stored. */
export interface Embedder {
  /** The model that an index was made with; null if the configuration no longer reaches it. */
  modelFor(index: IndexInfo): EmbeddingModel | null;
  /** The model that a vector set was made with; null if the configuration no longer reaches it. */
  vectorModelFor(set: VectorSetInfo): EmbeddingModel | null;
  /** Why the configured model makes no vectors at the moment; null if it does, or if the built-in static one is enough. */
  vectorFailure(): string | null;
  /** The built-in model if it made the index; null for others, whose vectors an ingest does not make. */
  ingestModelFor(index: IndexInfo): EmbeddingModel | null;
  /** Whether each document has all the vectors that the configuration asks for. */
  haveVectors(documents: readonly Pick<DocumentRecord, "revision" | "status">[]): Promise<boolean[]>;
  /** Documents were published: their vectors are made next. */
  documentsChanged(): void;
  /** Starts the work in the background: the search index first, then the vectors that are lacking. */
  start(): void;
  status(): Promise<EmbedderStatus>;
  /** Stops the work; the next start continues it. */
  close(): Promise<void>;
}

export interface EmbedderOptions extends KnownModelsOptions {
  store: EmbedderStore;
  /** Whether the built-in static model is enough where the configured one cannot run. */
  isOptional: boolean;
  /** Of this program (src/text/analysis/analyze.ts). */
  analysisVersion: number;
  /** True while requests are answered. */
  isBusy(): boolean;
}

export const createEmbedder = async (options: EmbedderOptions): Promise<Embedder> => {
  const { store, builtin, log } = options;
  const { indexes, vectors } = store;
  const closing = new AbortController();
  const models = createKnownModels(options);
  const published = createNotifier();
  const reached = createNotifier();
  /** Null where the built-in static model is enough. */
  let configured = options.configured;
  const upkeep = createIndexUpkeep({ ...options, models });
  const follower = configured === null ? null : createFollower({ ...options, configured, models, published, reached });
  /** Why the search index could not be built. */
  let indexError: string | null = null;
  let working: Promise<void> = Promise.resolve();

  await models.find(indexes.active());
  const set = vectors.active();
  if (set !== null) await models.find(set);

  const settleIndex = async (): Promise<void> => {
    for (let failures = 1; !closing.signal.aborted; failures++) {
      try {
        await upkeep.settle(closing.signal);
        indexError = null;
        return;
      } catch (failure) {
        if (closing.signal.aborted) return;
        indexError = "an internal error; see the log";
        log.error({ err: failure }, "building the search index failed");
        await pause(pauseAfter(failure, failures), closing.signal);
      }
    }
  };

  const dropSets = async (): Promise<void> => {
    configured = null;
    for (const dropped of [vectors.active(), vectors.building()]) if (dropped !== null) models.forget(dropped);
    await vectors.clear();
  };

  const work = async (): Promise<void> => {
    await settleIndex();
    if (closing.signal.aborted) return;
    if (follower === null || !(await follower.follow(closing.signal))) await dropSets();
  };

  /** For questions: an answer shows the follower that the server is back. */
  const listening = createListeningModels(reached.notify);

  return {
    modelFor: models.of,
    vectorModelFor(set) {
      const model = models.of(set);
      return model !== null && models.isConfigured(set) ? listening(set.id, model) : model;
    },
    vectorFailure: () => (configured === null ? null : (follower?.error ?? null)),
    ingestModelFor: (index) => (models.isBuiltin(index) ? models.of(index) : null),
    async haveVectors(documents) {
      const areProcessed = documents.map(({ status }) => status === "processed");
      if (configured === null) return areProcessed;
      if (!isCurrent(vectors.building() ?? vectors.active(), { models, store })) return documents.map(() => false);
      const have = await vectors.haveVectors(documents);
      return areProcessed.map((isProcessed, at) => isProcessed && have[at] === true);
    },
    documentsChanged: published.notify,
    start() {
      working = work().catch((error: unknown) => log.error({ err: error }, "the work on vectors ended"));
    },
    status: () =>
      statusOf({ store, builtin, configured, models, upkeep, error: indexError ?? follower?.error ?? null }),
    async close() {
      closing.abort(new Error("the server is stopping"));
      await working;
      await models.close();
    },
  };
};
