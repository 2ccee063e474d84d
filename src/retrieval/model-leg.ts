import type { Logger } from "pino";
import type { EmbeddingModel } from "../../providers/contract.ts";
import type { VectorSetInfo } from "../domain/records.ts";
import { type LegSearch, type ModelHits, noModelHits, searchWithModel } from "./search-with-model.ts";

export interface ModelLegDependencies {
  /** The model that a vector set was made with; null where the configuration no longer reaches it. */
  vectorModelFor: (set: VectorSetInfo) => EmbeddingModel | null;
  /** Why the configured model makes no vectors at the moment; null if it does. */
  vectorFailure?: () => string | null;
  log: Logger;
}

/** What answers without the model. */
const without = {
  shown: "Full text and the built-in static vectors answered",
  logged: "full text and static vectors answer",
};

/** Nothing without a vector set. */
export type ModelLeg = ModelHits;

/**
 * The snippets nearest to the question by the vectors of the configured model, as far as they are made. Where the model
 * fails, or has made none because it fails, the other legs answer, and a warning says so.
 * @throws the signal's reason
 */
export const searchByModel = async (
  deps: ModelLegDependencies,
  { view, tenant, scope, texts, embedQuestion, warnings, limit }: LegSearch,
  signal: AbortSignal,
): Promise<ModelLeg> => {
  const { vectorSet } = view;
  if (vectorSet === null) {
    const reason = deps.vectorFailure?.() ?? null;
    if (reason !== null) warnings.push({ text: `${without.shown}, because the embedding model failed`, reason });
    return noModelHits;
  }
  const model = deps.vectorModelFor(vectorSet);
  if (model === null) {
    warnings.push(
      `${without.shown}: the model of the other vectors (${vectorSet.model} of ${vectorSet.provider}) cannot be used with the present configuration.`,
    );
    return noModelHits;
  }
  return await searchWithModel(
    {
      model,
      embedQuestion,
      texts,
      nearest: (vector) => view.searchModelVectors(tenant, scope, vector, limit),
      without,
      warnings,
      log: deps.log,
    },
    signal,
  );
};
