import type { GatePrior } from "./calibration/calibration.ts";

/**
 * What the relevance gate knows before it knows a store, in the order of `gateFeatureNames`. Written by
 * `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with their article in the collection and
 * without; bench/quality/README.md says on which collections and what it reaches on those that were left out. `made` was
 * chosen there with `--tune`.
 */
export const prior: GatePrior = {
  coefficients: [-1.019, -0.881, 0.044, -0.368, 2.093, -3.265, 1.519, 0.191, -0.115, 0.087, 0.0, 0.0, 0.0],
  deviations: [0.37, 0.366, 0.58, 0.499, 0.838, 0.655, 0.925, 0.185, 0.179, 0.138, 0.05, 0.05, 0.05],
  answerable: [
    -2.181, -1.573, -1.186, -0.877, -0.728, -0.581, -0.363, -0.203, -0.026, 0.11, 0.235, 0.329, 0.441, 0.596, 0.708,
    0.877, 0.945, 1.073, 1.212, 1.313, 1.435, 1.513, 1.648, 1.787, 1.898, 2.001, 2.149, 2.272, 2.482, 2.624, 2.759,
    2.93, 3.135, 3.267, 3.468, 3.682, 3.921, 4.259, 4.657, 5.098,
  ],
  made: { weight: 1, shift: 0.2, questions: 20 },
};

/**
 * A search without an answer refuses at this part of the threshold, and only with a lower confidence than that: its
 * reader judges the snippets, so a doubtful one is better than none.
 */
export const searchShare = 0.1;
export const maxSearchConfidence = 0.05;
