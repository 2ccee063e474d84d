import type { Logger } from "pino";
import type { EmbeddingModel } from "../../providers/contract.ts";
import type { IndexInfo } from "../domain/records.ts";
import { type LegSearch, type ModelHits, noModelHits, searchWithModel } from "./search-with-model.ts";

export interface VectorLegDependencies {
  /** The model that an index was made with; null where the configuration no longer reaches it. */
  embeddings: (index: IndexInfo) => EmbeddingModel | null;
  log: Logger;
}

export interface VectorLeg extends ModelHits {
  model: EmbeddingModel | null;
}

/**
 * The snippets nearest to the question's vector. Where the model fails, there are none, and a warning says why.
 * @throws the signal's reason
 */
export const searchByVector = async (
  deps: VectorLegDependencies,
  { view, tenant, scope, texts, embedQuestion, warnings, limit }: LegSearch,
  signal: AbortSignal,
): Promise<VectorLeg> => {
  const model = deps.embeddings(view.index);
  if (model === null) {
    warnings.push(
      `Full text searched alone: the search index is changing to another embedding model, and the old one (${view.index.model} of ${view.index.provider}) cannot be used with the present configuration.`,
    );
    return { ...noModelHits, model };
  }
  const found = await searchWithModel(
    {
      model,
      embedQuestion,
      texts,
      nearest: (vector) => view.searchVectors(tenant, scope, vector, limit),
      without: { shown: "Full text searched alone", logged: "full text answers alone" },
      warnings,
      log: deps.log,
    },
    signal,
  );
  return { ...found, model };
};
