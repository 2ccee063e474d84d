import { type GatePrior, quantile, type SizeEffect } from "../../../src/retrieval/calibration/calibration.ts";
import { lettersOf, sizesOf } from "../../../src/retrieval/calibration/feature-names.ts";
import { fitWithPrior } from "../../../src/retrieval/calibration/fit-calibration.ts";
import { evidenceOfSize, smallness } from "../../../src/retrieval/relevance-gate.ts";
import { answerableQuestions } from "./answerable-questions.ts";
import type { ExampleLine } from "./example-line.ts";
import { madeOf } from "./judged.ts";

/** What the default threshold promises. */
const promised = 0.05;
/** What is aimed at: half a point less, for collections differ by more than chance. */
const aim = 0.045;
/** In large stores half a point less again: those here are put together from several collections, and large ones of a single kind lose more. */
const aimInLarge = 0.04;
/** Stores of which fewer questions can be made are not calibrated. */
const minMade = 64;
/** From this on, by its feature, a store is large: of more than some 550 snippets. */
const largeFrom = 0.15;
/** Stores of a few documents refuse next to nothing of what is there, whatever is done: they decide nothing. */
const tinyFrom = 0.6;
/** Each of the numbers depends on the others a little: they are found in turn. */
const rounds = 4;

/** One of people's questions that is there, in a calibrated store. */
export interface Margin {
  /** Its evidence above that of the questions that are refused, at a shift of 0 and without regard to size. */
  margin: number;
  /** By how much the shift moves that evidence. */
  weight: number;
  features: readonly number[];
}

/** @param lines of one set, in stores of one size */
export const marginsOf = (lines: readonly ExampleLine[], prior: GatePrior): Margin[] =>
  [...Map.groupBy(lines, ({ tier }) => tier).values()].flatMap((own) => {
    const made = madeOf(own);
    const there = made.filter(({ isThere }) => isThere).length;
    if (there < minMade) return [];
    const weight = there / (there + prior.made.questions);
    const { coefficients, answerable } = fitWithPrior(made, { ...prior, made: { ...prior.made, shift: 0 } });
    const threshold = quantile(answerable, promised);
    return answerableQuestions(own, coefficients).map(({ evidence, features }) => ({
      margin: evidence - threshold,
      weight,
      features,
    }));
  });

/** Below it this part of the values lies; 0 of nothing. */
const quantileOf = (values: readonly number[], part: number): number =>
  values.length === 0
    ? 0
    : quantile(
        [...values].sort((a, b) => a - b),
        part,
      );

/**
 * The shift of made questions' evidence, and the effect of a store's size, at which of the questions in stores of each kind
 * (usual, small and large ones) the part that is aimed at is refused.
 */
export const operatingPoint = (margins: readonly Margin[]): { shift: number; bySize: SizeEffect } => {
  let shift = 0;
  let bySize: SizeEffect = { small: 0, large: 0 };
  const sized = margins.map((each) => ({ ...each, ...sizesOf(each.features), letters: lettersOf(each.features) }));
  const small = sized.filter((each) => smallness(each.small) === 1 && each.small < tinyFrom && each.letters < 0.5);
  const large = sized.filter((each) => each.large >= largeFrom && each.letters < 0.5);
  const usual = sized.filter((each) => smallness(each.small) === 0 && each.large < largeFrom);
  for (let round = 0; round < rounds; round++) {
    const shifts = usual.map(({ margin, weight, features }) => (margin - evidenceOfSize(features, bySize)) / weight);
    shift = quantileOf(shifts, aim);
    const effectsIn = (stores: readonly Margin[]): number[] =>
      stores.map(
        ({ margin, weight, features }) => (margin - weight * shift) / evidenceOfSize(features, { small: 1, large: 1 }),
      );
    bySize = { small: quantileOf(effectsIn(small), aim), large: quantileOf(effectsIn(large), aimInLarge) };
  }
  return { shift, bySize };
};

export const withOperatingPoint = (
  prior: GatePrior,
  { shift, bySize }: { shift: number; bySize: SizeEffect },
): GatePrior => ({ ...prior, bySize, made: { ...prior.made, shift } });
