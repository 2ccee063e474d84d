import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [
    -2.82, 1.57, 2.11, 0.68, -0.83, 0.65, -1.79, 1.13, 0.81, 0.64, 1.88, -1.26, 0.0, 0.0, 0.39, -1.29, 0.0, 0.0, 0.72,
  ],
  deviations: [
    0.87, 0.74, 0.72, 0.59, 0.32, 0.78, 0.87, 0.63, 1.08, 1.0, 0.74, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
  ],
  answerable: [
    -2.46, -1.47, -0.93, -0.45, 0.04, 0.33, 0.62, 0.86, 1.09, 1.28, 1.46, 1.66, 1.86, 2.03, 2.2, 2.38, 2.54, 2.71, 2.88,
    3.04, 3.19, 3.32, 3.5, 3.71, 3.9, 4.06, 4.2, 4.39, 4.56, 4.74, 4.94, 5.13, 5.3, 5.53, 5.76, 6.06, 6.46, 6.93, 7.55,
    9.11,
  ],
  made: { weight: 0.3, shift: 0.1, questions: 60 },
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
