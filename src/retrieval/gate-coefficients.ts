import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [
    -3.23, 1.96, 2.21, 0.79, -0.69, 0.57, -1.75, 1.44, 0.55, 0.77, 2.47, 0.32, -1.29, -1.46, 0.0, 0.0, 0.48, -1.33, 0.0,
    0.0, 0.68,
  ],
  deviations: [
    0.89, 0.8, 0.67, 0.52, 0.44, 0.64, 0.76, 0.54, 1.14, 1.0, 0.61, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
    0.05, 0.05,
  ],
  answerable: [
    -2.47, -1.27, -0.72, -0.27, 0.13, 0.44, 0.7, 0.99, 1.2, 1.41, 1.64, 1.83, 1.99, 2.22, 2.4, 2.58, 2.72, 2.88, 3.03,
    3.17, 3.35, 3.5, 3.68, 3.87, 4.03, 4.2, 4.33, 4.52, 4.73, 4.93, 5.09, 5.25, 5.44, 5.67, 5.91, 6.28, 6.65, 7.03,
    7.61, 8.79,
  ],
  made: { weight: 0.1, shift: 0.5, questions: 60 },
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
