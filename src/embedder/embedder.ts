import type { EmbeddingModel } from "../../providers/contract.ts";
import { createNotifier, pause } from "../async/waiting.ts";
import type { DocumentRecord, IndexInfo, VectorSetInfo } from "../domain/records.ts";
import { pauseAfter } from "./fill-set.ts";
import { createFollower } from "./follower.ts";
import { createIndexUpkeep } from "./index-upkeep.ts";
import { createKnownModels, type KnownModelsOptions } from "./known-models.ts";
import { type EmbedderStatus, type EmbedderStore, isCurrent, statusOf } from "./status.ts";

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

export type { EmbedderStatus } from "./status.ts";

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
