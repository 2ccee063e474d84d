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
    -2.8, -1.68, -1.14, -0.64, -0.17, 0.22, 0.53, 0.84, 1.15, 1.4, 1.7, 1.95, 2.16, 2.36, 2.57, 2.79, 2.99, 3.19, 3.37,
    3.54, 3.72, 3.93, 4.12, 4.34, 4.53, 4.7, 4.91, 5.1, 5.3, 5.55, 5.77, 6.04, 6.27, 6.54, 6.86, 7.18, 7.59, 8.1, 8.74,
    10.3,
  ],
  made: { weight: 0.001, shift: -0.2, questions: 640 },
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
