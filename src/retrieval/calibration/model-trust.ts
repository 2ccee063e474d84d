import { isModelFeature } from "./feature-names.ts";
import { product } from "./fit-logistic.ts";

/** The area under the curve from which on a model is trusted in full: made questions are no sentences, and reach .6 to .7. */
const fullArea = 0.58;
/** With as many examples of each kind, half of what they say counts. */
const halfHeard = 20;

interface Asked {
  features: readonly number[];
  isThere: boolean;
}

/**
 * Coefficients with those of the configured model's cosines as far as these tell a store's made questions that are there
 * from those that are absent: a model server does not say which languages its model knows, and to one that knows none of the
 * words everything is alike, which would speak for an answer.
 */
export const withModelTrust = (coefficients: readonly number[], examples: readonly Asked[]): number[] => {
  const trust = modelTrust(coefficients, examples);
  return coefficients.map((value, at) => (isModelFeature(at) ? trust * value : value));
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
  const told = Math.min(1, Math.max(0, (areaUnderCurve(there, absent) - 0.5) / (fullArea - 0.5)));
  const heard = count / (count + halfHeard);
  return heard * told + (1 - heard);
};

/** How likely one of the first is above one of the others, 0 to 1 (ROC; Mann and Whitney 1947). */
const areaUnderCurve = (first: readonly number[], others: readonly number[]): number => {
  let above = 0;
  for (const value of first) for (const other of others) above += value > other ? 1 : value === other ? 0.5 : 0;
  return above / (first.length * others.length);
};
