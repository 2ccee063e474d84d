import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there: its shift so that stores of those sets refuse 4.5 % of what is there after their calibration, the
 * rest with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [
    -2.74, 0.0, 0.0, 0.27, -1.32, 1.71, 1.59, -1.06, 2.03, 1.16, -1.07, 1.56, 0.48, -1.41, 1.86, 0.59, 0.58, -3.03,
    -1.41, 0.36, 0.15, 0.08, -0.54, 0.4, 0.15, 0.0,
  ],
  deviations: [
    1.0, 0.74, 0.78, 0.76, 0.88, 0.92, 1.06, 1.45, 1.65, 0.86, 0.05, 0.05, 1.0, 0.05, 0.73, 1.06, 0.05, 0.05, 0.05,
    0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
  ],
  answerable: [
    -2.95, -1.38, -0.61, -0.02, 0.42, 0.83, 1.22, 1.56, 1.88, 2.15, 2.44, 2.75, 2.99, 3.23, 3.47, 3.69, 3.93, 4.13,
    4.36, 4.59, 4.82, 5.04, 5.28, 5.53, 5.75, 5.98, 6.24, 6.5, 6.78, 7.08, 7.36, 7.67, 7.98, 8.35, 8.8, 9.32, 9.96,
    10.76, 12.16, 14.99,
  ],
  made: { weight: 0.01, shift: 0.5, questions: 640 },
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
