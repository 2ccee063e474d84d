import { prior } from "../gate-coefficients.ts";
import { type Calibration, type GatePrior, quantile } from "./calibration.ts";
import { gateSigns, isFirmFeature, isModelFeature, lettersOf } from "./feature-names.ts";
import { type Example, fitMonotone, product } from "./fit-logistic.ts";
import { hearModel } from "./model-trust.ts";

/** A question of the calibration: the gate's features, with its documents there or without them. */
export interface CalibrationExample {
  features: readonly number[];
  isThere: boolean;
}

/** Points of the kept distribution of evidence. */
const points = 40;

/**
 * A made question with a larger part in a script such as Thai's is not heard: put together without spaces, its words are
 * other words, and it finds far less than people's questions do (XQuAD in Thai, absent and there refused: 62 and 1.5 % if
 * they are heard, 83 and 4.5 % if not).
 */
const maxLetters = 0.5;

/**
 * Fits the gate to one store: from what is known of other stores, with a strength that grows with the number of examples.
 * Few examples change little.
 * @param hearsModel false: the configured model was not asked. Its cosines then say nothing until it is known how well they
 *   tell this store's questions apart.
 */
export const fitCalibration = (examples: readonly CalibrationExample[], hearsModel: boolean): Calibration =>
  fitWithPrior(examples, hearsModel ? prior : priorWithoutModel);

const priorWithoutModel: GatePrior = {
  ...prior,
  coefficients: prior.coefficients.map((value, at) => (isModelFeature(at) ? 0 : value)),
};

/** The same with another prior: for measurements on sets that the shipped one was fitted to. */
export const fitWithPrior = (examples: readonly CalibrationExample[], prior: GatePrior): Calibration => {
  const { made } = prior;
  const heard = examples
    .filter(({ features }) => lettersOf(features) < maxLetters)
    .map(({ features, isThere }) => ({ features: withoutFirm(features), isThere }));
  const { coefficients: mean, expected } = hearModel(prior.coefficients, examples);
  const coefficients = fitMonotone(
    heard.map(({ features, isThere }): Example => ({ features, positive: isThere, weight: made.weight })),
    {
      mean,
      precision: diagonal(prior.deviations.map((deviation) => deviation ** -2)),
    },
    gateSigns,
  );
  const evidence = heard
    .filter(({ isThere }) => isThere)
    .map(({ features }) => product(coefficients, features) + made.shift + expected)
    .sort((a, b) => a - b);
  const change = coefficients.map((value, at) => value - (mean[at] ?? 0));
  const known = evidenceAfter(change, prior).map((value) => value + expected);
  return { coefficients, answerable: blend(evidence, known, made.questions) };
};

/**
 * The prior's distribution of evidence after a change of the coefficients. Without it, a store whose made questions find much
 * in other documents, such as one of source code, would give people's questions less evidence and still expect as much.
 */
const evidenceAfter = (change: readonly number[], { answerable, typical }: GatePrior): number[] =>
  Array.from({ length: points }, (_, index) => {
    const features = typical[Math.floor((index * typical.length) / points)] ?? [];
    return quantile(answerable, (index + 0.5) / points) + product(change, features);
  }).sort((a, b) => a - b);

/** Made questions borrow names of other documents, which people do not: what they say of names is not heard. */
const withoutFirm = (features: readonly number[]): number[] =>
  features.map((value, at) => (isFirmFeature(at) ? 0 : value));

/**
 * Quantiles of both distributions, averaged by what each is worth.
 * @param questions so many made ones are worth what is known
 */
const blend = (evidence: readonly number[], known: readonly number[], questions: number): number[] => {
  if (evidence.length === 0) return [...known];
  const share = evidence.length / (evidence.length + questions);
  return known.map((value, index) => share * quantile(evidence, (index + 0.5) / points) + (1 - share) * value);
};

const diagonal = (values: readonly number[]): number[][] =>
  values.map((value, row) => values.map((_, column) => (row === column ? value : 0)));
