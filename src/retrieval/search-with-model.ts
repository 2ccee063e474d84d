import type { Logger } from "pino";
import { type EmbeddingModel, ProviderError, type ProviderErrorKind } from "../../providers/contract.ts";
import { dot } from "../domain/dot.ts";
import type { Tenant } from "../domain/records.ts";
import { failureWarning, type Warning } from "../models/warning.ts";
import type { SearchScope, SnippetHit, SnippetView } from "../store/contract.ts";
import type { WeightedText } from "./conversation-terms.ts";
import type { EmbedQuestion } from "./question-limit.ts";

/** What the vectors of one model found. */
export interface ModelHits {
  hits: SnippetHit[];
  /** Of the question, and of each turn before it that was searched for; none where the model failed. */
  vectors: readonly Float32Array[];
  /** Weight of the cosine in the fusion. */
  weight: number;
}

export const noModelHits: ModelHits = { hits: [], vectors: [], weight: 0 };

/** What one leg of a search by vectors looks for. */
export interface LegSearch {
  view: SnippetView;
  tenant: Tenant;
  scope: SearchScope;
  texts: readonly WeightedText[];
  /** Waits for a model as long as the question does. */
  embedQuestion: EmbedQuestion;
  /** For the receipt; one may be added. */
  warnings: Warning[];
  limit: number;
}

interface ModelSearch {
  model: EmbeddingModel;
  embedQuestion: EmbedQuestion;
  texts: readonly WeightedText[];
  /** Searches the vectors of the model. */
  nearest(vector: Float32Array): Promise<SnippetHit[]>;
  /** What answers if the model fails: as a sentence for the receipt, and for the log. */
  without: { shown: string; logged: string };
  /** For the receipt; one may be added. */
  warnings: Warning[];
  log: Logger;
}

/** What became of the model, as the end of a sentence; others failed. */
const ends: Partial<Record<ProviderErrorKind, string>> = { timeout: "was too slow", rate_limited: "was too busy" };

/** The built-in one cannot be reached only while it is being loaded. */
const endOf = ({ provider }: Pick<EmbeddingModel, "provider">, { kind }: ProviderError): string =>
  provider === "builtin" && kind === "unreachable" ? "is not ready" : (ends[kind] ?? "failed");

/**
 * Embeds the question and searches. If the model fails, nothing is found, and a warning says why.
 * @throws the signal's reason
 */
export const searchWithModel = async (search: ModelSearch, signal: AbortSignal): Promise<ModelHits> => {
  const { model, embedQuestion, texts, nearest, without, warnings, log } = search;
  try {
    const vectors = await embedQuestion(
      model,
      texts.map(({ text }) => text),
      signal,
    );
    const vector = weightedSum(texts, vectors);
    const hits = vector === null ? [] : await nearest(vector);
    return { hits, vectors, weight: model.fusionWeight(texts[0]?.text ?? "") };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ kind: error.kind, model: model.model }, `embedding a question failed: ${without.logged}`);
    warnings.push(failureWarning(`${without.shown}, because the embedding model ${endOf(model, error)}`, error));
    return noModelHits;
  }
};

/**
 * Unit vector of the question and the earlier turns, each by its weight.
 * @param texts the question first, then the turns
 * @param vectors of at least these texts, in their order
 * @returns null without vectors
 */
export const weightedSum = (texts: readonly WeightedText[], vectors: readonly Float32Array[]): Float32Array | null => {
  const [first] = vectors;
  if (first === undefined || texts.length === 1) return first ?? null;
  const sum = new Float32Array(first.length);
  for (const [index, { weight }] of texts.entries())
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (vectors[index]?.[at] ?? 0);
  return unit(sum);
};

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
};
