import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there: its shift so that stores of those sets refuse 4.5 % of what is there after their calibration, the
 * rest with `--tune`. `letters` was fitted to Thai questions, the model's weights to MiniLM's vectors on ten of the
 * collections (`--model`), each with all others as they were.
 */
export const prior: GatePrior = {
  coefficients: [
    -3.06, 0.15, 1.29, 0.42, -0.93, 1.32, 0.55, -1.03, 2.95, 0.59, -1.29, 1.57, 0.96, -1.0, 3.3, -0.4, 0.58, -3.08,
    -1.91, 0.0, 0.08, 0.48, -0.31, 0.6, 0.08, 0,
  ],
  deviations: [
    0.82, 0.36, 0.64, 0.61, 0.42, 0.79, 0.65, 0.99, 1.08, 0.67, 0.05, 0.05, 1.0, 0.05, 0.83, 0.95, 0.05, 0.05, 0.05,
    0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
  ],
  answerable: [
    -2.92, -1.41, -0.54, 0.0, 0.45, 0.9, 1.29, 1.64, 2.0, 2.27, 2.56, 2.8, 3.02, 3.24, 3.47, 3.72, 3.93, 4.12, 4.34,
    4.59, 4.82, 5.03, 5.25, 5.52, 5.73, 5.93, 6.15, 6.37, 6.6, 6.83, 7.09, 7.45, 7.71, 8.04, 8.38, 8.81, 9.36, 10.05,
    11.06, 13.05,
  ],
  made: { weight: 0.01, shift: 0.6, questions: 640 },
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
