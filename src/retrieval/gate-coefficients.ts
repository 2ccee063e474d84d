import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/gate/README.md says on which collections and what it reaches on those that were left out. `weight` and
 * `questions` were chosen with `--tune`; by `shift` and `bySize` stores of each size refuse 4.5 % of what is there after their
 * calibration.
 */
export const prior: GatePrior = {
  coefficients: [
    -3.36, 0.0, 0.36, 0.35, -1.34, 1.7, 1.9, -1.01, 2.07, 1.26, -1.03, 1.65, 0.61, -1.62, 2.78, 0.49, 0.52, -2.7, -1.47,
    0.04, 0.11, 0.26, -0.52, 0.64, 0.2, 0.0,
  ],
  deviations: [
    1.18, 0.9, 0.98, 0.93, 0.91, 0.98, 1.33, 1.57, 1.85, 0.91, 0.05, 0.05, 1.0, 0.05, 1.05, 1.45, 0.05, 0.05, 0.05,
    0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
  ],
  answerable: [
    -2.96, -1.37, -0.56, 0.05, 0.56, 0.98, 1.4, 1.73, 2.07, 2.38, 2.67, 2.95, 3.21, 3.46, 3.72, 3.96, 4.18, 4.42, 4.65,
    4.89, 5.13, 5.37, 5.62, 5.87, 6.11, 6.38, 6.64, 6.9, 7.18, 7.48, 7.79, 8.11, 8.44, 8.82, 9.29, 9.85, 10.47, 11.19,
    12.58, 15.77,
  ],
  typical: [
    [
      1.0, 0.41, 0.51, 0.29, 0.96, 0.47, 0.35, 0.15, 0.54, 0.76, 0.91, 0.5, 0.11, 0.13, 0.05, 0.02, 0.26, 0.07, 0.12,
      0.06, 0.25, 0.2, 0.35, 0.18, 0.33, 0.83,
    ],
    [
      1.0, 0.55, 0.65, 0.51, 0.71, 0.64, 0.46, 0.09, 0.75, 1.15, 0.91, 0.66, 0.11, 0.1, 0.06, 0.02, 0.31, 0.03, 0.13,
      0.1, 0.36, 0.26, 0.34, 0.2, 0.48, 0.8,
    ],
    [
      1.0, 0.63, 0.71, 0.65, 0.59, 0.77, 0.5, 0.07, 0.87, 1.4, 0.9, 0.76, 0.1, 0.09, 0.06, 0.02, 0.34, 0.03, 0.15, 0.13,
      0.46, 0.31, 0.34, 0.23, 0.59, 0.84,
    ],
    [
      1.0, 0.68, 0.76, 0.78, 0.53, 0.87, 0.52, 0.05, 0.95, 1.66, 0.92, 0.86, 0.1, 0.09, 0.06, 0.02, 0.36, 0.02, 0.14,
      0.15, 0.47, 0.31, 0.34, 0.24, 0.63, 0.85,
    ],
    [
      1.0, 0.72, 0.79, 0.89, 0.47, 0.98, 0.55, 0.04, 1.02, 1.87, 0.94, 0.91, 0.1, 0.09, 0.06, 0.02, 0.4, 0.02, 0.17,
      0.2, 0.62, 0.4, 0.34, 0.27, 0.7, 0.89,
    ],
    [
      1.0, 0.76, 0.83, 1.03, 0.4, 1.11, 0.56, 0.04, 1.07, 2.08, 0.94, 0.99, 0.1, 0.08, 0.06, 0.03, 0.42, 0.01, 0.18,
      0.22, 0.66, 0.42, 0.35, 0.32, 0.79, 0.91,
    ],
    [
      1.0, 0.79, 0.85, 1.18, 0.39, 1.25, 0.58, 0.03, 1.11, 2.38, 0.94, 1.06, 0.11, 0.07, 0.06, 0.03, 0.5, 0.01, 0.21,
      0.29, 0.9, 0.53, 0.36, 0.35, 0.97, 0.94,
    ],
    [
      1.0, 0.81, 0.87, 1.38, 0.35, 1.43, 0.57, 0.03, 1.15, 2.78, 0.94, 1.09, 0.13, 0.07, 0.06, 0.03, 0.52, 0.01, 0.2,
      0.29, 0.89, 0.53, 0.37, 0.38, 1.0, 0.98,
    ],
    [
      1.0, 0.83, 0.89, 1.65, 0.33, 1.69, 0.56, 0.02, 1.18, 3.22, 0.95, 1.17, 0.16, 0.06, 0.06, 0.03, 0.59, 0.01, 0.24,
      0.39, 1.14, 0.67, 0.4, 0.48, 1.33, 1.09,
    ],
    [
      1.0, 0.85, 0.92, 2.35, 0.33, 2.37, 0.5, 0.02, 1.19, 4.83, 0.89, 1.17, 0.34, 0.05, 0.05, 0.03, 0.55, 0.01, 0.21,
      0.35, 1.11, 0.61, 0.41, 0.48, 1.41, 1.11,
    ],
  ],
  bySize: { small: 0.94, large: 0.96 },
  made: { weight: 0.01, shift: 0.35, questions: 640 },
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
