import type { EmbeddingModel } from "../../providers/contract.ts";
import type { VectorSetInfo } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import type { KnownModels } from "./known-models.ts";
import { dimensionsOf, haveSameVectors, nameOf } from "./made-by.ts";

export interface ChooseSetOptions {
  store: Pick<Store, "documents" | "indexes" | "vectors">;
  /** The model whose vectors the set holds. */
  configured: EmbeddingModel;
  models: KnownModels;
  log: Logger;
}

/**
 * The vector set that is to be filled: one that the model and the present analysis made, or a new one.
 * @throws ProviderError if the model cannot be asked for the length of its vectors
 */
export const chooseSet = async (
  { store, configured, models, log }: ChooseSetOptions,
  signal: AbortSignal,
): Promise<VectorSetInfo> => {
  const { vectors, indexes } = store;
  await dropUnwanted(vectors, models);
  const dimensions = await dimensionsOf(configured, signal);
  const { provider, model, revision } = configured;
  const { analysisVersion } = indexes.active();
  const wanted = { provider, model, modelRevision: revision ?? "", dimensions, analysisVersion };
  const isWanted = (set: VectorSetInfo): boolean =>
    haveSameVectors(set, wanted) && set.analysisVersion === analysisVersion;
  const active = vectors.active();
  const building = vectors.building();
  if (active !== null && isWanted(active)) {
    if (building !== null) await vectors.abandon();
    return active;
  }
  if (building !== null && isWanted(building)) return building;
  // The model has other vectors than before: a setting was reverted, or the server has another model of that name.
  if (active !== null && models.isConfigured(active) && active.dimensions !== dimensions)
    await models.findFormer(active);
  const begun = await vectors.begin(wanted);
  log.info({ model: nameOf(begun) }, "the vectors of another embedding model are being made");
  return begun;
};

/** A change that was taken back ends at once, also while the model is away: what the old set lacks counts again. */
const dropUnwanted = async (vectors: Store["vectors"], models: KnownModels): Promise<void> => {
  const active = vectors.active();
  const building = vectors.building();
  if (active === null || building === null) return;
  if (models.isConfigured(active) && !models.isConfigured(building)) await vectors.abandon();
};
