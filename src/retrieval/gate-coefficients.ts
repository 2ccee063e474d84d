import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [
    -3.67, 0.7, 2.56, 1.24, -0.7, 1.51, -1.23, 2.79, 0.59, 0.58, 1.85, -1.96, -0.3, -1.18, -2.04, 0.0, 0.0, 0.4, -0.63,
    0.0, 0.0, 0.36,
  ],
  deviations: [
    1.02, 0.61, 0.62, 0.8, 0.56, 0.62, 1.05, 0.65, 1.02, 1.0, 0.58, 0.46, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
    0.05, 0.05, 0.05,
  ],
  answerable: [
    -2.58, -1.45, -0.98, -0.38, 0.08, 0.45, 0.78, 1.06, 1.36, 1.6, 1.88, 2.15, 2.35, 2.56, 2.78, 2.98, 3.16, 3.35, 3.55,
    3.76, 3.94, 4.17, 4.35, 4.55, 4.75, 4.91, 5.09, 5.34, 5.58, 5.81, 6.03, 6.31, 6.6, 6.88, 7.16, 7.44, 7.77, 8.42,
    9.1, 10.48,
  ],
  made: { weight: 0.015, shift: -0.35, questions: 320 },
};

/**
 * A search shows what it found if one snippet has this part of the question, by the rarity of its words. Of 911 questions
 * with their document there (`bench/quality/gate`: source code, papers, encyclopedia, four languages) none has less, with
 * 50 documents one in 700; of questions from other collections half to four fifths.
 */
export const searchCoverage = 0.1;

/**
 * It also shows what is nearer in meaning than this, whatever the words say: a paraphrase may share none of them. Of
 * questions from other English collections, 99 in 100 are below it (by MiniLM 98 to 99, by the static vectors 97 to 99).
 */
export const searchRise = 1.75;
