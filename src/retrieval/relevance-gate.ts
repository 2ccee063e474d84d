import { type Calibration, shareBelow } from "./calibration/calibration.ts";
import { bestCoverage, nearestRise } from "./calibration/feature-names.ts";
import { logistic, product } from "./calibration/fit-logistic.ts";
import { prior, searchCoverage, searchRise } from "./gate-coefficients.ts";

export interface Verdict {
  /** How likely the documents contain the answer, 0 to 1, where half of the questions have one. */
  confidence: number;
  /** An answer is refused at an `answers.refusalThreshold` above this, 0 to 1. */
  refusedAbove: number;
  /** A snippet is near, by its words or in meaning, so that a search shows what it found. No calibration changes it. */
  isNear: boolean;
}

const nothingFound: Verdict = { confidence: 0, refusedAbove: 0, isNear: false };

/**
 * Judges whether the documents contain the answer.
 * @param features as by `gateFeatures`; null if nothing was found
 * @param calibration null: the gate knows nothing of this store yet
 */
export const judge = (features: readonly number[] | null, calibration: Calibration | null): Verdict => {
  if (features === null) return nothingFound;
  const { coefficients, answerable } = calibration ?? prior;
  const evidence = product(coefficients, features);
  return {
    confidence: logistic(evidence),
    refusedAbove: wishFor(shareBelow(answerable, evidence)),
    isNear: bestCoverage(features) >= searchCoverage || nearestRise(features) >= searchRise,
  };
};

/**
 * Whether a question is refused.
 * @param wish `answers.refusalThreshold`
 * @param forAnswer false: only snippets are wanted. Their reader judges them, so that only noise is left out, whatever the
 *   store is calibrated to; at a wish of 0 not even that.
 */
export const isRefused = ({ refusedAbove, isNear }: Verdict, wish: number, forAnswer: boolean): boolean =>
  forAnswer ? refusedAbove < wish : !isNear && wish > 0;

/** At a wish of 0.5, this part of the questions that have an answer may be refused. */
const usualFalseRefusals = 0.05;
const usualOdds = usualFalseRefusals / (1 - usualFalseRefusals);

/**
 * The wish by which this part of the answerable questions may be refused: 0.5 for 5 %, in between by the odds (2.2 % is
 * 0.3, 17 % is 0.8), so that 0 refuses none and 1 all.
 */
export const wishFor = (falseRefusals: number): number => {
  if (falseRefusals >= 1) return 1;
  const odds = falseRefusals / (1 - falseRefusals) / usualOdds;
  return odds / (1 + odds);
};
