import type { EmbeddingModel } from "../../providers/contract.ts";
import type { Ranked } from "./fuse.ts";
import { bm25 } from "./fusion-weights.ts";
import { cosineCoefficients, gateCoefficients, gateSnippets, searchThresholdShare } from "./gate-coefficients.ts";

/** The largest BM25 score is this times the sum of the words' rarities. */
const maxTextScore = bm25.k1 + 1;

/** Confidence below which nothing is returned. @param threshold `answers.refusalThreshold` */
export const refusalThresholdFor = (threshold: number, forAnswer: boolean): number =>
  forAnswer ? threshold : searchThresholdShare * threshold;

export interface GateInput {
  /** Best first. */
  ranked: readonly Ranked[];
  /** Sum of the question's words' rarities. */
  totalIdf: number;
  /** How many words the question has. */
  words: number;
  /** Part of its terms that are character pairs of a script without spaces, 0 to 1: those match less often. */
  dense: number;
  /** The model whose cosines they are; null if vectors were not searched. */
  model: Pick<EmbeddingModel, "provider" | "model"> | null;
  /** The model's weight in the fusion for this question. */
  vectorWeight: number;
}

/**
 * How likely it is that the documents contain the answer, 0 to 1. A logistic function of three things in the first
 * snippets: the largest part of the question's words (by rarity) that one contains, the best text score as a part of the
 * highest possible one, and the best cosine, as far as the model knows the question's language.
 */
export const relevance = (input: GateInput): number => {
  const top = input.ranked.slice(0, gateSnippets);
  if (top.length === 0) return 0;
  const coverage = Math.max(...top.map((candidate) => candidate.coverage));
  const largest = maxTextScore * input.totalIdf;
  const text = largest === 0 ? 0 : Math.max(...top.map((candidate) => candidate.text)) / largest;
  const evidence =
    gateCoefficients.offset +
    gateCoefficients.coverage * coverage +
    gateCoefficients.text * text +
    gateCoefficients.dense * input.dense +
    gateCoefficients.brevity / Math.max(1, input.words) +
    cosineEvidence(input, Math.max(0, ...top.map((candidate) => candidate.cosine ?? 0)));
  return 1 / (1 + Math.exp(-evidence));
};

const cosineEvidence = ({ model, vectorWeight }: GateInput, cosine: number): number => {
  const fitted = model === null ? undefined : cosineCoefficients[`${model.provider}/${model.model}`];
  if (fitted === undefined) return 0;
  const language = Math.min(1, vectorWeight / fitted.fullWeight);
  return language * (fitted.cosine * cosine + fitted.known);
};
