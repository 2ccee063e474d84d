import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [
    -2.91, 1.83, 2.12, 0.86, -0.63, 0.31, -1.76, 1.55, 0.43, 0.69, 2.52, 0.15, -1.64, -1.46, 0.0, 0.0, 0.41, -1.33, 0.0,
    0.0, 0.71,
  ],
  deviations: [
    0.88, 0.75, 0.69, 0.68, 0.52, 0.48, 0.85, 0.56, 1.16, 1.0, 0.61, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
    0.05, 0.05,
  ],
  answerable: [
    -2.4, -1.29, -0.68, -0.37, 0.06, 0.4, 0.64, 0.97, 1.16, 1.38, 1.57, 1.79, 1.93, 2.11, 2.29, 2.43, 2.6, 2.79, 2.94,
    3.08, 3.22, 3.37, 3.57, 3.72, 3.91, 4.05, 4.23, 4.4, 4.56, 4.74, 4.91, 5.11, 5.28, 5.48, 5.73, 6.04, 6.46, 6.83,
    7.36, 8.59,
  ],
  made: { weight: 0.1, shift: 0.1, questions: 60 },
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
