import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [
    -3.46, 1.36, 1.74, 1.5, -0.76, 1.25, -1.23, 1.9, 1.02, 0.24, 1.58, -1.74, 0.48, -2.93, -2.01, 0.0, 0.0, 0.6, -1.55,
    0.0, 0.13, 0.77,
  ],
  deviations: [
    0.85, 0.75, 0.42, 0.76, 0.51, 0.59, 0.87, 0.52, 0.75, 1.0, 0.56, 0.52, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
    0.05, 0.05, 0.05,
  ],
  answerable: [
    -2.81, -1.39, -0.62, -0.06, 0.31, 0.7, 1.07, 1.5, 1.83, 2.08, 2.39, 2.65, 2.97, 3.22, 3.42, 3.65, 3.92, 4.14, 4.35,
    4.54, 4.75, 4.92, 5.12, 5.34, 5.56, 5.81, 6.04, 6.27, 6.5, 6.77, 7.03, 7.35, 7.62, 7.97, 8.42, 8.91, 9.5, 10.14,
    11.11, 13.19,
  ],
  made: { weight: 0.01, shift: 0, questions: 320 },
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
