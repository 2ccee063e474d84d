import type { Logger } from "pino";
import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import type { IndexInfo, Tenant } from "../domain/records.ts";
import { failureWarning, type Warning } from "../models/warning.ts";
import type { SnippetHit, SnippetView } from "../store/contract.ts";
import type { WeightedText } from "./conversation-terms.ts";
import { queryVector } from "./query-vector.ts";

export interface VectorLegDependencies {
  /** The model that an index was made with; null where the configuration no longer reaches it. */
  embeddings: (index: IndexInfo) => EmbeddingModel | null;
  log: Logger;
}

export interface VectorLeg {
  hits: SnippetHit[];
  /** The question's vector; null where the model failed. */
  vector: Float32Array | null;
  /** Weight of the cosine in the fusion. */
  weight: number;
  model: EmbeddingModel | null;
}

/**
 * The snippets nearest to the question's vector. Where the model fails, there are none, and a warning says why.
 * @param warnings for the receipt; one may be added
 * @throws the signal's reason
 */
export const searchByVector = async (
  deps: VectorLegDependencies,
  view: SnippetView,
  tenant: Tenant,
  scope: Parameters<SnippetView["searchVectors"]>[1],
  texts: readonly WeightedText[],
  warnings: Warning[],
  limit: number,
  signal: AbortSignal,
): Promise<VectorLeg> => {
  const model = deps.embeddings(view.index);
  if (model === null) {
    warnings.push(
      `Full text searched alone: the search index is changing to another embedding model, and the old one (${view.index.model} of ${view.index.provider}) is out of reach of the configuration.`,
    );
    return { hits: [], vector: null, weight: 0, model };
  }
  try {
    const vector = await queryVector(model, texts, signal);
    const hits = await view.searchVectors(tenant, scope, vector, limit);
    return { hits, vector, weight: model.fusionWeight(texts[0]?.text ?? ""), model };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof ProviderError)) throw error;
    deps.log.warn({ kind: error.kind, model: model.model }, "embedding a question failed: full text answers alone");
    warnings.push(failureWarning("Full text searched alone, because the embedding model failed", error));
    return { hits: [], vector: null, weight: 0, model };
  }
};
