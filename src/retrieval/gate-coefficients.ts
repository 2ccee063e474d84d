import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [
    -0.436, 0.334, 0.354, -0.908, 0.667, -3.907, 1.82, 2.199, -1.963, 0.0, 0.0, 0.496, -0.944, 0.0, 0.0, 0.402,
  ],
  deviations: [0.638, 0.336, 0.681, 0.538, 0.484, 0.506, 1.243, 1.0, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05],
  answerable: [
    -2.443, -1.454, -0.905, -0.363, -0.066, 0.227, 0.409, 0.701, 0.886, 1.021, 1.166, 1.323, 1.48, 1.671, 1.791, 1.937,
    2.073, 2.201, 2.32, 2.497, 2.651, 2.807, 2.928, 3.142, 3.327, 3.53, 3.691, 3.931, 4.11, 4.301, 4.533, 4.72, 4.972,
    5.293, 5.774, 6.211, 6.811, 7.572, 8.997, 12.714,
  ],
  made: { weight: 1, shift: 0, questions: 20 },
};

/**
 * A search without an answer refuses at this part of the threshold, and only with a lower confidence than that: its
 * reader judges the snippets, so a doubtful one is better than none.
 */
export const searchShare = 0.1;
export const maxSearchConfidence = 0.05;
/**
 * A search shows what is nearer in meaning than this, whatever the words say: a paraphrase may share none of them. Of
 * questions from other English collections, 99 in 100 are below it (by MiniLM 98 to 99, by the static vectors 97 to 99).
 */
export const searchRise = 1.75;
