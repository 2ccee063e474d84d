import { mean as meanOf } from "../../../src/evaluation/estimates.ts";
import { quantile } from "../../../src/retrieval/calibration/calibration.ts";
import { gateFeatureNames } from "../../../src/retrieval/calibration/feature-names.ts";
import { product } from "../../../src/retrieval/calibration/fit-logistic.ts";
import type { ExampleLine } from "./example-line.ts";
import { isKnownItem } from "./read-examples.ts";

/** Points of the kept distribution of evidence. */
const points = 40;

export interface AnswerableQuestion {
  evidence: number;
  features: readonly number[];
}

/** People's questions that have an answer, with their evidence. */
export const answerableQuestions = (
  lines: readonly ExampleLine[],
  coefficients: readonly number[],
): AnswerableQuestion[] =>
  lines.flatMap(({ kind, isThere, features, set }) =>
    kind === "real" && isThere && features !== null && !isKnownItem(set)
      ? [{ evidence: product(coefficients, features), features }]
      : [],
  );

/** The distribution that the gate keeps of evidence. */
export const answerableFrom = (questions: readonly AnswerableQuestion[]): number[] => {
  const sorted = questions.map(({ evidence }) => evidence).sort((a, b) => a - b);
  return Array.from({ length: points }, (_, at) => quantile(sorted, (at + 0.5) / points));
};

/** How many parts of the answerable questions the gate keeps the features of. */
const tenths = 10;

/** The mean features of people's questions that have an answer, for each tenth of them by their evidence. */
export const typicalFrom = (questions: readonly AnswerableQuestion[]): number[][] => {
  const sorted = [...questions].sort((a, b) => a.evidence - b.evidence);
  return Array.from({ length: tenths }, (_, at) => {
    const part = sorted.slice(
      Math.floor((at * sorted.length) / tenths),
      Math.floor(((at + 1) * sorted.length) / tenths),
    );
    return gateFeatureNames.map((_, place) => meanOf(part.map(({ features }) => features[place] ?? 0)));
  });
};
