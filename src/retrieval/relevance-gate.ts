import { type Calibration, quantile } from "./calibration/calibration.ts";
import { logistic, product } from "./calibration/fit-logistic.ts";
import { prior, searchShare } from "./gate-coefficients.ts";

export interface Verdict {
  /** How likely the documents contain the answer, 0 to 1, where half of the questions have one. */
  confidence: number;
  /** An answer is refused if the confidence is lower. */
  refusedBelow: number;
  isRefused: boolean;
}

/**
 * Judges whether the documents contain the answer.
 * @param features as by `gateFeatures`; null if nothing was found
 * @param calibration null: the gate knows nothing of this store yet
 * @param wish `answers.refusalThreshold`
 * @param forAnswer false: only snippets are wanted, and all but what is almost surely absent is shown
 */
export const judge = (
  features: readonly number[] | null,
  calibration: Calibration | null,
  wish: number,
  forAnswer: boolean,
): Verdict => {
  const { coefficients, answerable } = calibration ?? prior;
  const confidence = features === null ? 0 : logistic(product(coefficients, features));
  const refusedBelow = refusedBelowFor(answerable, wish);
  return { confidence, refusedBelow, isRefused: confidence < (forAnswer ? refusedBelow : searchShare * refusedBelow) };
};

/**
 * The part of the answerable questions that may be refused: 5 % at a wish of 0.5, in between by the odds (2.2 % at 0.3,
 * 17 % at 0.8), so that 0 refuses none and 1 all.
 */
export const allowedFalseRefusals = (wish: number): number => {
  if (wish <= 0) return 0;
  if (wish >= 1) return 1;
  const odds = (wish / (1 - wish)) * (0.05 / 0.95);
  return odds / (1 + odds);
};

const refusedBelowFor = (answerable: readonly number[], wish: number): number => {
  if (wish <= 0) return 0;
  return wish >= 1 ? 1 : logistic(quantile(answerable, allowedFalseRefusals(wish)));
};
