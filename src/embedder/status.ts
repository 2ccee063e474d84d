import type { EmbeddingModel } from "../../providers/contract.ts";
import type { VectorSetInfo } from "../domain/records.ts";
import type { PendingVectors, Store } from "../store/contract.ts";
import type { IndexUpkeep } from "./index-upkeep.ts";
import type { KnownModels } from "./known-models.ts";

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
export type EmbedderStore = Pick<Store, "documents" | "indexes" | "vectors">;

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

export const statusOf = async (sources: StatusSources): Promise<EmbedderStatus> => {
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
export const isCurrent = (
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
