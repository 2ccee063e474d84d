import type { Candidate } from "./candidates.ts";
import { estimatePrior, vectorShareWithNumbers } from "./fusion-weights.ts";

/** How much the cosines of each model count beside full text for a question, 0 to 1. */
export interface VectorWeights {
  /** Of the search index's vectors. */
  index: number;
  /** Of the vector set's. */
  model: number;
}

/** A number of its own, not in a word or code; one digit after another, so that a long one costs no more. */
const number = /(?<![\p{L}\p{N}])\p{Nd}+(?![\p{L}\p{N}])/u;

/** The weights for a question: less where it has a number. A weight of 1, at which vectors alone decide, stays. */
export const weightsFor = (question: string, weights: VectorWeights): VectorWeights => {
  if (!number.test(question)) return weights;
  const lessened = (weight: number): number => (weight >= 1 ? weight : weight * vectorShareWithNumbers);
  return { index: lessened(weights.index), model: lessened(weights.model) };
};

interface VectorScores {
  /** Of each candidate, 0 to 1 over the candidates' range. */
  scores: number[];
  /** How much they count beside full text. */
  weight: number;
}

/**
 * One score from both kinds of vectors. Where only a part of the candidates has the model's vectors, the others get an
 * estimate from their cosine in the index, and the model counts as far as its vectors are there: at none the index alone,
 * at all of them the model alone, and no step between. A model that knows less of the question's language than the index
 * does not count.
 */
export const scoreByVectors = (candidates: readonly Candidate[], weights: VectorWeights): VectorScores => {
  const byIndex = scaled(candidates.map(({ cosine }) => cosine));
  const share = weights.model < weights.index ? 0 : modelShare(candidates);
  if (share === 0) return { scores: byIndex, weight: weights.index };
  const byModel = scaled(withEstimates(candidates));
  return {
    scores: byModel.map((score, at) => share * score + (1 - share) * (byIndex[at] ?? 0)),
    weight: share * weights.model + (1 - share) * weights.index,
  };
};

/**
 * Part of the candidates that has a vector of the model. Those that only the model's vectors found are left out: all of
 * them have one, however few of the documents have.
 */
const modelShare = (candidates: readonly Candidate[]): number => {
  const others = candidates.filter(({ isFoundByModelAlone }) => !isFoundByModelAlone);
  if (others.length === 0) return candidates.some(({ modelCosine }) => modelCosine !== null) ? 1 : 0;
  return others.filter(({ modelCosine }) => modelCosine !== null).length / others.length;
};

/**
 * The model's cosines, and for candidates without one the value of a straight line through those that have both. Its slope
 * is shrunk as if some more candidates said nothing, so that a few of them draw no line; the line also keeps estimates
 * nearer to the mean than measured values are.
 */
const withEstimates = (candidates: readonly Candidate[]): (number | null)[] => {
  const known = candidates.flatMap(({ cosine, modelCosine }) =>
    cosine === null || modelCosine === null ? [] : [{ cosine, modelCosine }],
  );
  const meanIndex = mean(known.map(({ cosine }) => cosine));
  const meanModel = mean(known.map(({ modelCosine }) => modelCosine));
  let both = 0;
  let own = 0;
  for (const { cosine, modelCosine } of known) {
    both += (cosine - meanIndex) * (modelCosine - meanModel);
    own += (cosine - meanIndex) ** 2;
  }
  const slope = own === 0 ? 0 : both / (own * (1 + estimatePrior / known.length));
  return candidates.map(({ cosine, modelCosine }) => {
    if (modelCosine !== null) return modelCosine;
    return cosine === null || known.length === 0 ? null : meanModel + slope * (cosine - meanIndex);
  });
};

/** Values from 0 (least) to 1 (most); a missing one is 0. */
const scaled = (values: readonly (number | null)[]): number[] => {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === null) continue;
    if (value < smallest) smallest = value;
    if (value > largest) largest = value;
  }
  const range = largest - smallest;
  return values.map((value) => (value === null || !(range > 0) ? 0 : (value - smallest) / range));
};

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
