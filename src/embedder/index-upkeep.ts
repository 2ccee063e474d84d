import type { EmbeddingModel } from "../../providers/contract.ts";
import type { IndexInfo } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { type KnownModels, nameOf } from "./known-models.ts";
import { rebuildIndex } from "./rebuild.ts";

interface IndexUpkeepOptions {
  store: Pick<Store, "documents" | "indexes">;
  builtin: EmbeddingModel;
  models: KnownModels;
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
  /** Replaces an index of another analysis by one that is made anew. @throws the signal's reason */
  settle(signal: AbortSignal): Promise<void>;
}

export const createIndexUpkeep = (options: IndexUpkeepOptions): IndexUpkeep => {
  const { store, builtin, models, analysisVersion, isBusy, log } = options;
  const { indexes } = store;
  let progress: { done: number; total: number } | null = null;
  let isWorking = false;

  const isAsWanted = (index: IndexInfo): boolean =>
    models.isBuiltin(index) && index.analysisVersion === analysisVersion;

  const begin = async (signal: AbortSignal): Promise<IndexInfo> => {
    const { provider, model, revision } = builtin;
    const dimensions = await builtin.dimensions(signal);
    return await indexes.begin({ provider, model, modelRevision: revision ?? "", dimensions, analysisVersion });
  };

  const replace = async (signal: AbortSignal): Promise<void> => {
    const old = indexes.active();
    const building = await begin(signal);
    log.info({ from: nameOf(old), to: nameOf(building) }, "building the search index anew");
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
    async settle(signal) {
      isWorking = !isAsWanted(indexes.active()) || (await indexes.lacksVectors());
      if (isWorking) await replace(signal);
      else if (indexes.building() !== null) await indexes.abandon();
      isWorking = false;
      progress = null;
    },
  };
};
