import { type GatePrior, quantile } from "../../../src/retrieval/calibration/calibration.ts";
import { fitWithPrior } from "../../../src/retrieval/calibration/fit-calibration.ts";
import { product } from "../../../src/retrieval/calibration/fit-logistic.ts";
import type { ExampleLine } from "./example-line.ts";
import { madeOf } from "./judged.ts";
import { isKnownItem } from "./read-examples.ts";

/** What the default threshold promises. */
const promised = 0.05;
/** What is aimed at: half a point less, for collections differ by more than chance. */
const aim = 0.045;
/** Stores of which fewer questions can be made are not calibrated. */
const minMade = 64;

/**
 * For each of people's questions that is there: the shift of made questions' evidence at which its calibrated store would
 * begin to refuse it.
 * @param lines of one set, in stores of one size
 */
export const shiftsThatRefuse = (lines: readonly ExampleLine[], prior: GatePrior): number[] =>
  [...Map.groupBy(lines, ({ tier }) => tier).values()].flatMap((own) => {
    const made = madeOf(own);
    const there = made.filter(({ isThere }) => isThere).length;
    if (there < minMade) return [];
    const weight = there / (there + prior.made.questions);
    const { coefficients, answerable } = fitWithPrior(made, { ...prior, made: { ...prior.made, shift: 0 } });
    const threshold = quantile(answerable, promised);
    return own.flatMap(({ kind, isThere, features, set }) =>
      kind === "real" && isThere && features !== null && !isKnownItem(set)
        ? [(product(coefficients, features) - threshold) / weight]
        : [],
    );
  });

/** The shift at which the part of the questions that is aimed at is refused, all stores together. */
export const shiftAt = (refusing: readonly number[]): number =>
  refusing.length === 0
    ? 0
    : quantile(
        [...refusing].sort((a, b) => a - b),
        aim,
      );

export const withShift = (prior: GatePrior, shift: number): GatePrior => ({
  ...prior,
  made: { ...prior.made, shift },
});
