import type { EmbeddingModel } from "../../providers/contract.ts";
import type { IndexInfo } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import type { Store } from "../store/contract.ts";
import { keepIndexVectors } from "./keep-index-vectors.ts";
import type { KnownModels } from "./known-models.ts";
import { nameOf } from "./made-by.ts";
import { rebuildIndex } from "./rebuild.ts";

export interface IndexUpkeepOptions {
  store: Pick<Store, "documents" | "indexes" | "vectors">;
  builtin: EmbeddingModel;
  models: KnownModels;
  /** Whether the vectors of another model that the index holds are to be kept. */
  keepsVectors(): boolean;
  /** Of this program (src/text/analysis/analyze.ts). */
  analysisVersion: number;
  /** True while requests are answered. */
  isBusy(): boolean;
  log: Logger;
}

/** Keeps the search index as this program makes it: vectors of the built-in static model, terms of its analysis. */
export interface IndexUpkeep {
  /** Documents in the new index and in all, while one is built; null if none is needed. */
  progress(): Promise<{ done: number; total: number } | null>;
  /**
   * Replaces an index whose length of vectors is not known, as earlier versions made for a model that they never
   * reached. It holds no document, and could not take one.
   */
  replaceUnusable(): Promise<void>;
  /** Replaces an index of an earlier version by one that is made anew. @throws the signal's reason */
  settle(signal: AbortSignal): Promise<void>;
}

export const createIndexUpkeep = (options: IndexUpkeepOptions): IndexUpkeep => {
  const { store, builtin, models, keepsVectors, analysisVersion, isBusy, log } = options;
  const { indexes, vectors } = store;
  let progress: { done: number; total: number } | null = null;
  let isWorking = false;

  const isAsWanted = (index: IndexInfo): boolean =>
    models.isBuiltin(index) && index.dimensions > 0 && index.analysisVersion === analysisVersion;

  const begin = async (signal: AbortSignal): Promise<IndexInfo> => {
    const { provider, model, revision } = builtin;
    const dimensions = await builtin.dimensions(signal);
    return await indexes.begin({ provider, model, modelRevision: revision ?? "", dimensions, analysisVersion });
  };

  /** Makes a vector set of what an index of the configured or a reachable model holds: none is made again. */
  const keepVectors = async (index: IndexInfo, signal: AbortSignal): Promise<void> => {
    const isOther = !(index.provider === builtin.provider && index.model === builtin.model);
    if (!isOther || index.dimensions === 0 || !keepsVectors() || models.of(index) === null) return;
    const active = vectors.active();
    if (active === null || active.analysisVersion === 0) await keepIndexVectors(store, index, signal);
  };

  const replace = async (signal: AbortSignal): Promise<void> => {
    const old = indexes.active();
    const building = await begin(signal);
    log.info({ from: nameOf(old), to: nameOf(building) }, "building the search index anew");
    await keepVectors(old, signal);
    const onProgress = (done: number, total: number) => {
      progress = { done, total };
    };
    await rebuildIndex({ store, building, model: builtin, isBusy, onProgress }, signal);
    models.forget(old);
    log.info({ documents: progress?.total }, "the search index is built anew");
  };

  return {
    async progress() {
      if (!isWorking && isAsWanted(indexes.active())) return null;
      return progress ?? (await indexes.missing(0));
    },
    async replaceUnusable() {
      if (indexes.active().dimensions > 0) return;
      await begin(new AbortController().signal);
      await indexes.promote();
    },
    async settle(signal) {
      isWorking = !isAsWanted(indexes.active()) || (await indexes.lacksVectors());
      if (isWorking) await replace(signal);
      else if (indexes.building() !== null) await indexes.abandon();
      isWorking = false;
      progress = null;
    },
  };
};
