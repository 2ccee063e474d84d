import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import type { IndexDescription, IndexInfo } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import { dimensionsOf, fittedTo } from "./index-model.ts";
import { createIndexModels, type IndexModelsOptions } from "./index-models.ts";
import { rebuildIndex } from "./rebuild.ts";
import { pause, pauseAfter } from "./retry-pause.ts";

/** What `GET /api/embedder` and `carrel embedder status` show. */
export interface EmbedderStatus {
  /** `dimensions`: null until the model of an empty store was first reached. */
  active: { provider: string; model: string; dimensions: number | null };
  /** The running change. `done` and `total` count documents; `error`: why it is not progressing, null if it is. */
  building: { provider: string; model: string; done: number; total: number; error: string | null } | null;
}

/** Which model each search index has, and the change from one to another. */
export interface Embedder {
  /** The model that an index was made with; null if the configuration no longer reaches it. */
  modelFor(index: IndexInfo): EmbeddingModel | null;
  /** True while the configuration names another model than that of the active index. */
  isChanging(): boolean;
  /**
   * Resolves when documents can be indexed: the index of a new store is created when its model is first reached.
   * @throws ProviderError if the model cannot be reached; the signal's reason
   */
  ready(signal: AbortSignal): Promise<void>;
  /** Starts, in the background, the change that the configuration asks for, if any. */
  start(): void;
  status(): Promise<EmbedderStatus>;
  /** Stops the work; the next start continues it. */
  close(): Promise<void>;
}

export interface EmbedderOptions extends IndexModelsOptions {
  store: Pick<Store, "documents" | "indexes">;
  /** Of this program (src/text/analysis/analyze.ts). */
  analysisVersion: number;
  /** True while requests are answered. */
  isBusy(): boolean;
}

export const createEmbedder = async (options: EmbedderOptions): Promise<Embedder> => {
  const { store, configured, analysisVersion, log } = options;
  const { indexes } = store;
  const closing = new AbortController();
  const models = createIndexModels(options);
  let progress: { done: number; total: number } | null = null;
  let error: string | null = null;
  let working: Promise<void> = Promise.resolve();
  /** The description of the active index is as configured, but the index must be rebuilt. */
  let isStale = false;

  const differs = (): boolean => {
    const active = indexes.active();
    return !models.isConfigured(active) || active.analysisVersion !== analysisVersion;
  };
  const found = indexes.active();
  if (found.dimensions > 0 && !models.isConfigured(found)) await models.find(found);

  const begin = async (): Promise<IndexInfo> => {
    const { provider, model, revision } = configured;
    const dimensions = await dimensionsOf(configured, closing.signal);
    return await indexes.begin({ provider, model, modelRevision: revision ?? "", dimensions, analysisVersion });
  };

  let establishing: Promise<void> | null = null;
  /** Creates the first index of a store, once the model has shown the length of its vectors. */
  const establish = (): Promise<void> => {
    establishing ??= (async () => {
      await begin();
      await indexes.promote();
    })().finally(() => {
      establishing = null;
    });
    return establishing;
  };

  const change = async (): Promise<void> => {
    const old = indexes.active();
    const building = await begin();
    error = null;
    log.info({ from: nameOf(old), to: nameOf(building) }, "building the search index for another embedding model");
    const onProgress = (done: number, total: number) => {
      progress = { done, total };
      error = null;
    };
    const model = fittedTo(building, configured);
    const { isBusy } = options;
    await rebuildIndex({ store, building, model, isBusy, onProgress, log }, closing.signal);
    models.forget(old);
    log.info(
      { model: nameOf(building), documents: progress?.total },
      "the search index has changed its embedding model",
    );
  };

  /** Whether the active index must be rebuilt although its description is as configured. @throws ProviderError */
  const findStale = async (): Promise<boolean> => {
    if (await indexes.lacksVectors()) return true;
    const active = indexes.active();
    if ((await dimensionsOf(configured, closing.signal)) === active.dimensions) return false;
    // The model has other vectors than before: a setting was reverted, or the server has another model of that name.
    await models.find(active);
    return true;
  };

  /** True while the active index is not the configured one. */
  const needsChange = (): boolean => indexes.active().dimensions === 0 || isStale || differs();

  /** Makes the active index the configured one. */
  const settle = async (): Promise<void> => {
    if (indexes.active().dimensions === 0) return await establish();
    if (!differs()) {
      const half = indexes.building();
      if (half !== null && !(models.isConfigured(half) && half.analysisVersion === analysisVersion))
        await indexes.abandon();
      isStale = await findStale();
      if (!isStale) {
        if (indexes.building() !== null) await indexes.abandon();
        return;
      }
    }
    await change();
    isStale = false;
  };

  const work = async (): Promise<void> => {
    for (let failures = 0; !closing.signal.aborted; ) {
      const before = progress?.done;
      try {
        await settle();
        progress = null;
        error = null;
        return;
      } catch (failure) {
        if (closing.signal.aborted) return;
        failures = progress?.done === before ? failures + 1 : 1;
        error = failure instanceof ProviderError ? failure.message : "an internal error; see the log";
        const pauseMs = pauseAfter(failure, failures);
        if (failure instanceof ProviderError)
          log[needsChange() ? "warn" : "debug"](
            { kind: failure.kind, pauseMs },
            `the embedding model cannot be used yet: ${failure.message}`,
          );
        else log.error({ err: failure, pauseMs }, "building the search index failed");
        await pause(pauseMs, closing.signal);
      }
    }
  };

  return {
    modelFor: models.of,
    isChanging: () => indexes.active().dimensions > 0 && (isStale || differs()),
    async ready(signal) {
      if (indexes.active().dimensions > 0) return;
      await establish();
      signal.throwIfAborted();
    },
    start() {
      working = work();
    },
    async status() {
      const { provider, model, dimensions } = indexes.active();
      const wanted = { provider: configured.provider, model: configured.model };
      if (dimensions === 0)
        return {
          active: { ...wanted, dimensions: null },
          building: { ...wanted, done: 0, total: 0, error },
        };
      const shown = { provider, model, dimensions };
      if (!isStale && !differs()) return { active: shown, building: null };
      const half = indexes.building();
      const { done, total } = progress ?? (await indexes.missing(0));
      const isOurs = half !== null && models.isConfigured(half);
      return { active: shown, building: { ...wanted, done: isOurs ? done : 0, total, error } };
    },
    async close() {
      closing.abort(new Error("the server is stopping"));
      await working;
      models.close();
    },
  };
};

const nameOf = ({ provider, model }: IndexDescription): string => `${model} of ${provider}`;
