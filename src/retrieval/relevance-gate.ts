import type { EmbeddingModel } from "../../providers/contract.ts";
import type { Ranked } from "./fuse.ts";

/** Snippets of the top that are looked at. */
const looked = 3;
/** The largest text score is this times the sum of the words' rarities (k1 + 1 of BM25). */
const largestTextScore = 2.2;

/**
 * Coefficients of the logistic function, fitted on seven collections in six languages: their own questions against
 * those of the others and against those whose articles were held out. At the default threshold of 0.5 it refuses 0
 * to 5 % of the questions that have an answer, and 90 to 100 % of another collection's; of those about held-out articles
 * of the same collection, 70 to 90 %. At a threshold of 0.3 the first are 0 to 2.5 %, the others 86 to 100 % and 50 to
 * 80 %. On collections that it was not fitted on, asked by bare phrases, the default refuses 0 to 11 % of the first and
 * 89 to 98 % of the others.
 */
const common = { coverage: 8.4, text: 17.7, dense: 2, brevity: -3.5, offset: -5 };

/**
 * What a model's cosine says of relevance. Its size means something else for every model, so that it counts only for
 * those it was fitted for; `fullWeight` is what the model's `fusionWeight` gives for a question in its language.
 */
const cosines: Record<string, { cosine: number; known: number; fullWeight: number }> = {
  "builtin/static": { cosine: 7.4, known: -3.9, fullWeight: 0.25 },
  "builtin/minilm": { cosine: 13.5, known: -6.2, fullWeight: 0.5 },
};

/**
 * Part of the threshold that counts where snippets alone are wanted: a person or program looks at them, so that a
 * doubtful find is better than none. Measured: under 1 % of the questions that have an answer find nothing then, and
 * 77 to 95 % of those to another collection.
 */
const searchShare = 0.1;

/** Confidence below which nothing is returned. @param threshold `answers.refusalThreshold` */
export const refusalThresholdFor = (threshold: number, forAnswer: boolean): number =>
  forAnswer ? threshold : searchShare * threshold;

export interface GateInput {
  /** Best first. */
  ranked: readonly Ranked[];
  /** Sum of the question's words' rarities. */
  totalIdf: number;
  /** How many words the question has. */
  words: number;
  /** Part of its words that are pairs of characters of a script without spaces: they match less often, 0 to 1. */
  dense: number;
  /** The model whose cosines they are; null where vectors were not searched. */
  model: Pick<EmbeddingModel, "provider" | "model"> | null;
  /** The model's weight in the fusion for this question. */
  vectorWeight: number;
}

/**
 * How likely it is that the documents hold the answer, 0 to 1: a logistic function of the part of the question's words
 * (by rarity) that the best of the first snippets holds, of its text score against the largest there could be, and of
 * the cosine where the model knows the question's language.
 */
export const relevance = (input: GateInput): number => {
  const top = input.ranked.slice(0, looked);
  if (top.length === 0) return 0;
  const coverage = Math.max(...top.map((candidate) => candidate.coverage));
  const largest = largestTextScore * input.totalIdf;
  const text = largest === 0 ? 0 : Math.max(...top.map((candidate) => candidate.text)) / largest;
  const evidence =
    common.offset +
    common.coverage * coverage +
    common.text * text +
    common.dense * input.dense +
    common.brevity / Math.max(1, input.words) +
    cosineEvidence(input, Math.max(0, ...top.map((candidate) => candidate.cosine ?? 0)));
  return 1 / (1 + Math.exp(-evidence));
};

const cosineEvidence = ({ model, vectorWeight }: GateInput, cosine: number): number => {
  const fitted = model === null ? undefined : cosines[`${model.provider}/${model.model}`];
  if (fitted === undefined) return 0;
  const language = Math.min(1, vectorWeight / fitted.fullWeight);
  return language * (fitted.cosine * cosine + fitted.known);
};
