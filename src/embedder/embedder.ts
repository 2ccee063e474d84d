import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import type { IndexDescription, IndexInfo } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import type { Store } from "../store/contract.ts";
import { dimensionsOf, fittedTo, isMadeBy } from "./index-model.ts";
import { rebuildIndex } from "./rebuild.ts";

/** What `GET /api/embedder` and `carrel embedder status` tell. */
export interface EmbedderStatus {
  /** `dimensions`: null while the model of an empty store was never reached. */
  active: { provider: string; model: string; dimensions: number | null };
  /** The change under way. `done` and `total` count documents; `error`: why it does not get on, null where it does. */
  building: { provider: string; model: string; done: number; total: number; error: string | null } | null;
}

/** Which model each search index has, and the change from one to another. */
export interface Embedder {
  /** The model that an index was made with; null where the configuration no longer reaches it. */
  modelFor(index: IndexInfo): EmbeddingModel | null;
  /** True while the configuration names another model than the active index has. */
  isChanging(): boolean;
  /**
   * Resolves when documents can be indexed: the index of a new store is made when its model is first reached.
   * @throws ProviderError where it cannot be; the signal's reason
   */
  ready(signal: AbortSignal): Promise<void>;
  /** Begins, in the background, whatever change the configuration asks for. */
  start(): void;
  status(): Promise<EmbedderStatus>;
  /** Stops the work; the next start goes on with it. */
  close(): Promise<void>;
}

export interface EmbedderOptions {
  store: Pick<Store, "documents" | "indexes">;
  /** The model that the configuration names. */
  configured: EmbeddingModel;
  /** `models.embedding.dimensions`: null takes what the model gives. */
  dimensions: number | null;
  /** Of this program (src/text/analysis/analyze.ts). */
  analysisVersion: number;
  /** Makes the model of an index that `configured` did not make; null where the configuration does not reach it. */
  makeIndexModel(index: IndexInfo): Promise<EmbeddingModel | null>;
  isBusy(): boolean;
  log: Logger;
}

/** Pauses while the new model cannot be had: 1 s, doubling. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export const createEmbedder = async (options: EmbedderOptions): Promise<Embedder> => {
  const { store, configured, analysisVersion, log } = options;
  const { indexes } = store;
  const closing = new AbortController();
  const models = new Map<string, EmbeddingModel | null>();
  /** Made here for an index that another configuration made, and closed here. */
  let former: EmbeddingModel | null = null;
  let progress: { done: number; total: number } | null = null;
  let error: string | null = null;
  let working: Promise<void> = Promise.resolve();
  /** The active index is described as configured, and yet is to be made anew. */
  let isStale = false;

  const isConfigured = (index: IndexDescription): boolean => isMadeBy(index, configured, options.dimensions);
  const differs = (): boolean => {
    const active = indexes.active();
    return !isConfigured(active) || active.analysisVersion !== analysisVersion;
  };

  const modelFor: Embedder["modelFor"] = (index) => {
    const known = models.get(index.id);
    if (known !== undefined) return known;
    const model = isConfigured(index) ? fittedTo(index, configured) : null;
    models.set(index.id, model);
    return model;
  };

  /** Finds the model of an index that another configuration made. */
  const findModel = async (index: IndexInfo): Promise<void> => {
    const old = await options.makeIndexModel(index).catch((failure: unknown) => {
      log.warn({ model: index.model, err: failure }, "the model of the search index cannot be used");
      return null;
    });
    models.set(index.id, old === null ? null : fittedTo(index, old));
    former = old;
  };
  const found = indexes.active();
  if (found.dimensions > 0 && !isConfigured(found)) await findModel(found);

  const begin = async (): Promise<IndexInfo> => {
    const { provider, model, revision } = configured;
    const dimensions = await dimensionsOf(configured, closing.signal);
    return await indexes.begin({ provider, model, modelRevision: revision ?? "", dimensions, analysisVersion });
  };

  let establishing: Promise<void> | null = null;
  /** Gives a store its first index, as soon as the model tells the length of its vectors. */
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
    models.delete(old.id);
    former?.close?.();
    former = null;
    log.info(
      { model: nameOf(building), documents: progress?.total },
      "the search index has changed its embedding model",
    );
  };

  /** Whether the active index, though it is described as configured, cannot stay. @throws ProviderError */
  const findStale = async (): Promise<boolean> => {
    if (await indexes.lacksVectors()) return true;
    const active = indexes.active();
    if ((await dimensionsOf(configured, closing.signal)) === active.dimensions) return false;
    // The same name gives other vectors than it did: a setting was taken back, or the model was replaced.
    await findModel(active);
    return true;
  };

  /** True while the active index is not the one that is wanted. */
  const isWanted = (): boolean => indexes.active().dimensions === 0 || isStale || differs();

  const settle = async (): Promise<void> => {
    if (indexes.active().dimensions === 0) return await establish();
    if (!differs()) {
      const half = indexes.building();
      if (half !== null && !(isConfigured(half) && half.analysisVersion === analysisVersion)) await indexes.abandon();
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
        error = failure instanceof ProviderError ? failure.message : "an internal error, which the log holds";
        const pauseMs = pauseAfter(failure, failures);
        if (failure instanceof ProviderError)
          log[isWanted() ? "warn" : "debug"](
            { kind: failure.kind, pauseMs },
            `the embedding model cannot be used yet: ${failure.message}`,
          );
        else log.error({ err: failure, pauseMs }, "building the search index failed");
        await pause(pauseMs, closing.signal);
      }
    }
  };

  return {
    modelFor,
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
      const told = { provider: configured.provider, model: configured.model };
      if (dimensions === 0)
        return {
          active: { ...told, dimensions: null },
          building: { ...told, done: 0, total: 0, error },
        };
      const shown = { provider, model, dimensions };
      if (!isStale && !differs()) return { active: shown, building: null };
      const half = indexes.building();
      const { done, total } = progress ?? (await indexes.missing(0));
      const isOurs = half !== null && isConfigured(half);
      return { active: shown, building: { ...told, done: isOurs ? done : 0, total, error } };
    },
    async close() {
      closing.abort(new Error("the server is stopping"));
      await working;
      former?.close?.();
    },
  };
};

const nameOf = ({ provider, model }: IndexDescription): string => `${model} of ${provider}`;

const pauseAfter = (failure: unknown, failures: number): number => {
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
  const asked = failure instanceof ProviderError ? (failure.retryAfterMs ?? 0) : 0;
  return Math.min(Math.max(growing, asked), LONGEST_PAUSE_MS);
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
