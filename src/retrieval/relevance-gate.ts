import { type Calibration, type SizeEffect, shareBelow } from "./calibration/calibration.ts";
import { bestCoverage, lettersOf, nearestRise, sizesOf } from "./calibration/feature-names.ts";
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
 * @param bySize how much more evidence answerable questions have in small stores and in large ones
 */
export const judge = (
  features: readonly number[] | null,
  calibration: Calibration | null,
  bySize: SizeEffect = prior.bySize,
): Verdict => {
  if (features === null) return nothingFound;
  const { coefficients, answerable } = calibration ?? prior;
  const evidence = product(coefficients, features);
  return {
    confidence: logistic(evidence),
    refusedAbove: wishFor(shareBelow(answerable, evidence - evidenceOfSize(features, bySize))),
    isNear: bestCoverage(features) >= searchCoverage || nearestRise(features) >= searchRise,
  };
};

/** Judges a question that can be read in several ways: by the one that speaks most for an answer. @param readings of `assess` */
export const judgeReadings = (readings: readonly (readonly number[])[], calibration: Calibration | null): Verdict => {
  const verdicts = readings.map((features) => judge(features, calibration));
  const best = verdicts.reduce((most, each) => (each.refusedAbove > most.refusedAbove ? each : most), nothingFound);
  return { ...best, isNear: verdicts.some(({ isNear }) => isNear) };
};

/** Stores of some 140 snippets are of the usual kind, those of 80 small: by the feature `small`. */
const smallRange = { from: 0.1, to: 0.2 };

/** How far a store is a small one, 0 to 1. Of five notes no more is expected than of fifty. */
export const smallness = (small: number): number =>
  Math.min(1, Math.max(0, (small - smallRange.from) / (smallRange.to - smallRange.from)));

/**
 * How much more evidence answerable questions have because of the size of their store: in a small one nothing else has their
 * words, in one of thousands the rarest words are rarer. Pairs of letters (Thai) are found in any store.
 */
export const evidenceOfSize = (features: readonly number[], bySize: SizeEffect): number => {
  const { small, large } = sizesOf(features);
  return (1 - lettersOf(features)) * (bySize.small * smallness(small) + bySize.large * large);
};

/**
 * Whether a question is refused by the gate alone.
 * @param wish `answers.refusalThreshold`
 * @param forAnswer false: only noise is left out; how sure an answer is, the passage that is quoted tells too
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
