import { gateFeatureNames, isModelFeature } from "./feature-names.ts";
import { product } from "./fit-logistic.ts";

/**
 * The area under the curve from which on a model is trusted in full, and from which on it is heard most: made questions are
 * no sentences, and by a model that knows the language reach .62 to .72, by one that knows English alone .53 to .63 elsewhere
 * (multilingual E5 and MiniLM over XQuAD in twelve languages; people's questions .96 to .99 and .53 to .91).
 */
const area = { none: 0.5, full: 0.58, most: 0.66 };
/** The coefficients were fitted to models that know English: one that knows the store's language says so many times as much. */
const mostTrust = 2;
/** How much more evidence people's questions that are there have, by a model that is heard so. */
const moreEvidence = 0.5;
/** With as many examples of each kind, half of what they say counts. */
const halfHeard = 20;
const presence = gateFeatureNames.indexOf("hasModel");

interface Asked {
  features: readonly number[];
  isThere: boolean;
}

/** How a configured model is heard in one store. */
export interface HeardModel {
  /** With those of the model's cosines times its trust. */
  coefficients: number[];
  /** Added to the evidence that is expected of questions that are there. */
  expected: number;
}

/**
 * Hears the configured model's cosines as far as these tell a store's made questions that are there from those that are
 * absent: a model server does not say which languages its model knows. To a model that knows none of the words everything is
 * alike, which would speak for an answer; one that knows them all tells more than the models that the coefficients were fitted
 * to.
 */
export const hearModel = (coefficients: readonly number[], examples: readonly Asked[]): HeardModel => {
  const trust = modelTrust(coefficients, examples);
  const there = examples.filter(({ isThere }) => isThere);
  const present = there.reduce((sum, { features }) => sum + (features[presence] ?? 0), 0) / Math.max(1, there.length);
  return {
    coefficients: coefficients.map((value, at) => (isModelFeature(at) ? trust * value : value)),
    expected: moreEvidence * present * (Math.max(1, trust) - 1),
  };
};

const modelTrust = (coefficients: readonly number[], examples: readonly Asked[]): number => {
  const ofModel = (values: readonly number[]): number[] => values.filter((_, at) => isModelFeature(at));
  const weights = ofModel(coefficients);
  const evidenceOf = (wanted: boolean): number[] =>
    examples
      .filter(({ isThere }) => isThere === wanted)
      .map(({ features }) => ofModel(features))
      .filter((own) => own.some((value) => value !== 0))
      .map((own) => product(weights, own));
  const [there, absent] = [evidenceOf(true), evidenceOf(false)];
  const count = Math.min(there.length, absent.length);
  if (count === 0) return 1;
  const heard = count / (count + halfHeard);
  return heard * trustAt(areaUnderCurve(there, absent)) + (1 - heard);
};

const trustAt = (reached: number): number =>
  partOf(reached, area.none, area.full) + (mostTrust - 1) * partOf(reached, area.full, area.most);

/** How far a value is on the way from one to another, 0 to 1. */
const partOf = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)));

/** How likely one of the first is above one of the others, 0 to 1 (ROC; Mann and Whitney 1947). */
const areaUnderCurve = (first: readonly number[], others: readonly number[]): number => {
  let above = 0;
  for (const value of first) for (const other of others) above += value > other ? 1 : value === other ? 0.5 : 0;
  return above / (first.length * others.length);
};
