import { mean as meanOf } from "../../../src/evaluation/estimates.ts";
import type { GatePrior } from "../../../src/retrieval/calibration/calibration.ts";
import {
  gateFeatureNames,
  gateSigns,
  isFirmFeature,
  isGroupFeature,
  isModelFeature,
} from "../../../src/retrieval/calibration/feature-names.ts";
import { type Example, fitMonotone } from "../../../src/retrieval/calibration/fit-logistic.ts";
import type { ExampleLine } from "./example-line.ts";
import { isKnownItem } from "./read-examples.ts";

/** Questions of people count most: those of other sets are easy. Made ones are only like them, and are left out. */
const weights = { real: 1, made: 0, foreign: 0.3 };
const weightOf = ({ set, kind }: ExampleLine): number => weights[kind] * (isKnownItem(set) ? 0.2 : 1);
/** Beside the variance of each feature: the strength that gave most on sets that were left out. */
const ridge = 15;
/** One set alone tells what a script without spaces changes: there a store must be free to differ. */
const leastDeviation = (at: number): number => (gateFeatureNames[at] === "dense" ? 1 : 0.05);
/**
 * Made questions are no sentences, and of one sentence each: what they say of cosines, of names, of where the words come
 * from and of letters in pairs (Thai) does not change what people's questions said.
 */
const heldDeviation = 0.05;

const isOfVectors = (at: number): boolean => /^(?:has(?:Static|Model)|static|model)/.test(gateFeatureNames[at] ?? "");

const without = (features: readonly number[], isLeftOut: (at: number) => boolean): number[] =>
  features.map((value, at) => (isLeftOut(at) ? 0 : value));

/**
 * As it is, as in a language that no model knows, as in a script that has no capitals, and as where each document is one
 * snippet: most sets have all of these or none, so that what they change would be mistaken for what the kind of text changes.
 */
const toExamples = (line: ExampleLine): Example[] => {
  const { features, isThere: positive } = line;
  const weight = weightOf(line);
  if (features === null || weight === 0) return [];
  const views = [
    features,
    without(features, isOfVectors),
    without(features, isFirmFeature),
    without(features, isGroupFeature),
  ];
  const distinct = new Map(views.map((each) => [each.join(), each]));
  return [...distinct.values()].map((each) => ({ features: each, positive, weight }));
};

const diagonal = (values: readonly number[]): number[][] =>
  values.map((value, row) => values.map((_, at) => (at === row ? value : 0)));

const variances = (examples: readonly Example[]): number[] =>
  gateFeatureNames.map((_, at) => {
    const own = examples.map(({ features }) => features[at] ?? 0);
    const mean = meanOf(own);
    return meanOf(own.map((value) => (value - mean) ** 2));
  });

/** Holds what a prior has: no examples overcome it. */
const heldPrecision = 1e8;

/** A prior with the weights of a configured model's cosines fitted anew, and all others as they are. */
export const fitModelWeights = (lines: readonly ExampleLine[], prior: GatePrior): GatePrior => {
  const examples = lines.flatMap((line): Example[] => {
    const weight = weightOf(line);
    const { features } = line;
    if (line.tier === "static" || features === null || weight === 0) return [];
    const views = [features, without(features, isFirmFeature), without(features, isGroupFeature)];
    const distinct = new Map(views.map((each) => [each.join(), each]));
    return [...distinct.values()].map((each) => ({ features: each, positive: line.isThere, weight }));
  });
  const precisions = variances(examples).map((value, at) =>
    isModelFeature(at) ? ridge * value + 0.01 : heldPrecision,
  );
  const mean = prior.coefficients.map((value, at) => (isModelFeature(at) ? 0 : value));
  const fitted = fitMonotone(examples, { mean, precision: diagonal(precisions) }, gateSigns);
  return {
    ...prior,
    coefficients: prior.coefficients.map((value, at) => (isModelFeature(at) ? (fitted[at] ?? 0) : value)),
  };
};

/** Mean and spread of the coefficients over sets. */
export const fitCoefficients = (lines: readonly ExampleLine[]): Pick<GatePrior, "coefficients" | "deviations"> => {
  const examples = lines.flatMap(toExamples);
  const coefficients = fitMonotone(
    examples,
    {
      mean: gateFeatureNames.map(() => 0),
      precision: diagonal(variances(examples).map((value) => ridge * value + 0.01)),
    },
    gateSigns,
  );
  const bySet = [...Map.groupBy(lines, ({ set }) => set).values()].map((own) =>
    fitMonotone(
      own.flatMap(toExamples),
      { mean: coefficients, precision: diagonal(coefficients.map(() => 1)) },
      gateSigns,
    ),
  );
  const deviations = coefficients.map((center, at) =>
    isOfVectors(at) || isFirmFeature(at) || isGroupFeature(at) || gateFeatureNames[at] === "letters"
      ? heldDeviation
      : Math.max(leastDeviation(at), Math.sqrt(meanOf(bySet.map((own) => ((own[at] ?? 0) - center) ** 2)))),
  );
  return { coefficients, deviations };
};
