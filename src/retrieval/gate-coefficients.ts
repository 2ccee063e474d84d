import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there: with a shift of .74 stores of those sets refuse 4.5 % of what is there after their calibration; it is .5, since
 * source code and abstracts lose more of it than other texts. The rest was chosen with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [
    -3.34, 0.0, 0.39, 0.34, -1.34, 1.68, 1.89, -1.02, 2.01, 1.28, -1.03, 1.65, 0.58, -1.49, 2.63, 0.39, 0.52, -2.7,
    -1.47, 0.04, 0.11, 0.27, -0.53, 0.65, 0.2, 0.0,
  ],
  deviations: [
    1.19, 0.9, 1.01, 0.93, 0.91, 0.99, 1.33, 1.57, 1.86, 0.91, 0.05, 0.05, 1.0, 0.05, 1.02, 1.42, 0.05, 0.05, 0.05,
    0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
  ],
  answerable: [
    -2.99, -1.39, -0.57, 0.04, 0.54, 0.96, 1.38, 1.72, 2.06, 2.36, 2.66, 2.94, 3.2, 3.46, 3.7, 3.95, 4.18, 4.41, 4.65,
    4.89, 5.12, 5.36, 5.6, 5.86, 6.11, 6.37, 6.63, 6.9, 7.17, 7.48, 7.79, 8.11, 8.44, 8.83, 9.3, 9.86, 10.48, 11.21,
    12.62, 15.77,
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
