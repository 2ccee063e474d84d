import type { EmbeddingModel } from "../../providers/contract.ts";
import type { VectorSetInfo } from "../domain/records.ts";
import { type Store, wholeTenant } from "../store/contract.ts";
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
export type EmbedderStore = Pick<Store, "documents" | "indexes" | "vectors" | "organizations" | "openSnippets">;

export interface StatusSources {
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
  const lacking = half === null ? await everythingIn(store) : await store.vectors.pending();
  const isWhole = set !== null && isCurrent(set, sources) && rebuild === null;
  const isEmpty = set === null && lacking.totalDocuments === 0;
  const why = lacking.documents > 0 || !(isWhole || isEmpty) ? error : null;
  const done = half !== null && isCurrent(half, sources) ? lacking.totalDocuments - lacking.documents : 0;
  return {
    active: isEmpty ? { ...name, dimensions: null } : shown(set ?? index),
    building: isWhole || isEmpty ? null : { ...name, done, total: lacking.totalDocuments, error: why },
    pending: lacking.snippets,
    error: why,
  };
};

const progressOf = ({ done, total }: { done: number; total: number }) => ({ done, total });

/** Whether the set is what the configuration and this program's analysis ask for. */
const isCurrent = (set: VectorSetInfo, { models, store }: StatusSources): boolean =>
  models.isConfigured(set) && set.analysisVersion === store.indexes.active().analysisVersion;

/** What lacks vectors of the configured model while there is no set of them: all of the store. */
const everythingIn = async (store: EmbedderStore) => {
  const { documents, organizations } = store;
  const { processed } = await documents.countByStatus();
  const view = store.openSnippets();
  try {
    let snippets = 0;
    for (const { id } of await organizations.list())
      snippets += (await view.count({ organizationId: id, partitionId: null }, wholeTenant)).snippets;
    return { documents: processed, snippets, totalDocuments: processed };
  } finally {
    view.close();
  }
};
