import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [-0.44, 0.33, 0.35, -0.91, 0.67, -3.91, 1.82, 2.2, -1.96, 0, 0, 0.5, -0.94, 0, 0, 0.4],
  deviations: [0.64, 0.34, 0.68, 0.54, 0.48, 0.51, 1.24, 1, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05],
  answerable: [
    -2.44, -1.45, -0.91, -0.36, -0.07, 0.23, 0.41, 0.7, 0.89, 1.02, 1.17, 1.32, 1.48, 1.67, 1.79, 1.94, 2.07, 2.2, 2.32,
    2.5, 2.65, 2.81, 2.93, 3.15, 3.33, 3.53, 3.69, 3.93, 4.11, 4.3, 4.53, 4.72, 4.97, 5.29, 5.77, 6.21, 6.81, 7.57, 9,
    12.71,
  ],
  made: { weight: 0.3, shift: -0.2, questions: 20 },
};

/**
 * A search shows what it found if one snippet contains this part of the question, by the rarity of its words. Of 1,044
 * questions with their document there (`bench/quality/gate`: source code, abstracts, encyclopedia, four languages) none
 * has less; of questions from other collections 42 to 83 in 100.
 */
export const searchCoverage = 0.1;
/**
 * It also shows what is nearer in meaning than this, whatever the words say: a paraphrase may share none of them. Of
 * questions from other English collections, 99 in 100 are below it (by MiniLM 98 to 99, by the static vectors 97 to 99).
 */
export const searchRise = 1.75;
