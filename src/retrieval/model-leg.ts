import type { Logger } from "pino";
import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import type { Tenant, VectorSetInfo } from "../domain/records.ts";
import { failureWarning, type Warning } from "../models/warning.ts";
import type { SnippetHit, SnippetView } from "../store/contract.ts";
import type { WeightedText } from "./conversation-terms.ts";
import { queryVector } from "./query-vector.ts";

export interface ModelLegDependencies {
  /** The model that a vector set was made with; null where the configuration no longer reaches it. */
  vectorModelFor: (set: VectorSetInfo) => EmbeddingModel | null;
  log: Logger;
}

export interface ModelLeg {
  hits: SnippetHit[];
  /** The question's vector; null without a vector set, or where the model failed. */
  vector: Float32Array | null;
  /** Weight of the cosine in the fusion. */
  weight: number;
}

const noLeg: ModelLeg = { hits: [], vector: null, weight: 0 };

/**
 * The snippets nearest to the question by the vectors of the configured model, as far as they are made. Where the model
 * fails, the other legs answer, and a warning says so.
 * @param warnings for the receipt; one may be added
 * @throws the signal's reason
 */
export const searchByModel = async (
  deps: ModelLegDependencies,
  view: SnippetView,
  tenant: Tenant,
  scope: Parameters<SnippetView["searchVectors"]>[1],
  texts: readonly WeightedText[],
  warnings: Warning[],
  limit: number,
  signal: AbortSignal,
): Promise<ModelLeg> => {
  const { vectorSet } = view;
  if (vectorSet === null) return noLeg;
  const model = deps.vectorModelFor(vectorSet);
  if (model === null) {
    warnings.push(
      `Full text and the built-in static vectors answered: the model of the other vectors (${vectorSet.model} of ${vectorSet.provider}) is out of reach of the configuration.`,
    );
    return noLeg;
  }
  try {
    const vector = await queryVector(model, texts, signal);
    const hits = await view.searchModelVectors(tenant, scope, vector, limit);
    return { hits, vector, weight: model.fusionWeight(texts[0]?.text ?? "") };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof ProviderError)) throw error;
    deps.log.warn(
      { kind: error.kind, model: model.model },
      "embedding a question failed: full text and static vectors answer",
    );
    warnings.push(
      failureWarning("Full text and the built-in static vectors answered, because the embedding model failed", error),
    );
    return noLeg;
  }
};
