import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mean } from "../../../src/evaluation/estimates.ts";
import { type Calibration, quantile, shareBelow } from "../../../src/retrieval/calibration/calibration.ts";
import { gateFeatureNames } from "../../../src/retrieval/calibration/feature-names.ts";
import {
  type CalibrationExample,
  fitCalibration,
  fitWithPrior,
} from "../../../src/retrieval/calibration/fit-calibration.ts";
import { product } from "../../../src/retrieval/calibration/fit-logistic.ts";
import { prior } from "../../../src/retrieval/gate-coefficients.ts";
import { isRefused, judge, wishFor } from "../../../src/retrieval/relevance-gate.ts";

/** Features that grow with the part of the question that a snippet contains. */
const ofCoverage: ReadonlySet<string> = new Set([
  "coverage",
  "covered",
  "surprise",
  "alike",
  "narrow",
  "textShare",
] satisfies (typeof gateFeatureNames)[number][]);

/** Features of a question with the given coverage and nothing else. */
const covered = (coverage: number): number[] =>
  gateFeatureNames.map((name) => (name === "offset" ? 1 : ofCoverage.has(name) ? coverage : 0));

test("the prior has a coefficient for each feature", () => {
  expect(prior.coefficients).toHaveLength(gateFeatureNames.length);
  expect(prior.deviations).toHaveLength(gateFeatureNames.length);
  expect(prior.answerable).toEqual([...prior.answerable].sort((a, b) => a - b));
  expect(prior.typical).toHaveLength(10);
  for (const features of prior.typical) expect(features).toHaveLength(gateFeatureNames.length);
});

/** Whether an answer is refused at the default. */
const refuses = (features: readonly number[], calibration: Calibration | null = null): boolean =>
  isRefused(judge(features, calibration), 0.5, true);

describe("the wish", () => {
  test("is a part of the answerable questions that may be refused", () => {
    expect(wishFor(0.05)).toBeCloseTo(0.5, 9);
    expect(wishFor(0)).toBe(0);
    expect(wishFor(1)).toBe(1);
    expect(wishFor(0.022)).toBeCloseTo(0.3, 2);
  });
  test("of 0 refuses nothing, of 1 everything", () => {
    expect(isRefused(judge(covered(0), null), 0, true)).toBe(false);
    expect(isRefused(judge(null, null), 0, true)).toBe(false);
    expect(isRefused(judge(covered(1), null), 1, true)).toBe(true);
  });
  test("does not count where no answer is wanted: a search leaves out noise alone", () => {
    expect(isRefused(judge(null, null), 0.5, false)).toBe(true);
    for (const wish of [0.05, 0.5, 1]) {
      expect(isRefused(judge(covered(0.05), null), wish, false)).toBe(true);
      expect(isRefused(judge(covered(0.15), null), wish, false)).toBe(false);
    }
  });
  test("of a search is the same whatever the store is calibrated to", () => {
    const strict: Calibration = { coefficients: prior.coefficients, answerable: [50, 60] };
    expect(refuses(covered(0.6), strict)).toBe(true);
    expect(isRefused(judge(covered(0.6), strict), 0.5, false)).toBe(false);
    const lenient: Calibration = { coefficients: prior.coefficients, answerable: [-60, -50] };
    expect(refuses(covered(0), lenient)).toBe(false);
    expect(isRefused(judge(covered(0), lenient), 0.5, false)).toBe(true);
  });
  test("the more is found, the surer the gate and the higher the wish that refuses", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const [low, high] = [judge(covered(Math.min(a, b)), null), judge(covered(Math.max(a, b)), null)];
        // Coverages that differ in their last bits may be rounded either way.
        expect(high.refusedAbove).toBeGreaterThanOrEqual(low.refusedAbove - 1e-12);
        expect(high.confidence).toBeGreaterThanOrEqual(low.confidence - 1e-12);
      }),
    );
  });
});

test("more of the question found makes it surer; nothing found is refused", () => {
  expect(judge(covered(0.9), null).confidence).toBeGreaterThan(judge(covered(0.2), null).confidence);
  expect(judge(null, null).confidence).toBe(0);
});

describe("the calibration of a store", () => {
  /** Questions whose documents are there have this coverage; without them, that. */
  const examples = (count: number, there: number, absent: number): CalibrationExample[] =>
    Array.from({ length: count }, (_, at) => {
      const wave = 0.1 * Math.sin(at);
      return [
        { features: covered(there + wave), isThere: true },
        { features: covered(absent + wave), isThere: false },
      ];
    }).flat();

  test("without examples is the prior", () => {
    const { coefficients, answerable } = fitCalibration([], true);
    expect(coefficients).toEqual([...prior.coefficients]);
    for (const share of [0.05, 0.5, 0.95])
      expect(quantile(answerable, share)).toBeCloseTo(quantile(prior.answerable, share), 1);
  });

  test("changes little by few examples, much by many", () => {
    const change = (count: number): number => {
      const { coefficients } = fitCalibration(examples(count, 0.3, 0.1), true);
      return Math.hypot(...coefficients.map((value, at) => value - (prior.coefficients[at] ?? 0)));
    };
    expect(change(2)).toBeLessThan(change(20));
    expect(change(20)).toBeLessThan(change(200));
  });

  test("of a store whose model was not asked hears nothing of it", () => {
    const made = examples(160, 0.5, 0.2);
    const alone = fitCalibration(made, false);
    const near = covered(0.5).map((value, at) => (/odel/.test(gateFeatureNames[at] ?? "") ? 4 : value));
    expect(judge(near, alone)).toEqual({ ...judge(covered(0.5), alone), isNear: judge(near, alone).isNear });
    expect(judge(near, fitCalibration(made, true)).confidence).not.toBe(judge(near, alone).confidence);
  });

  test("moves the threshold to where the store's own answerable questions are", () => {
    // A language whose words match by chance: absent questions find much, those that are there nearly all.
    const highStore = fitCalibration(examples(150, 0.9, 0.6), true);
    const lowStore = fitCalibration(examples(150, 0.4, 0.1), true);
    for (const [store, there] of [
      [highStore, 0.9],
      [lowStore, 0.4],
    ] as const)
      expect(refuses(covered(there), store)).toBe(false);
    // What is there in the one is little for the other: it takes less of a wish to refuse it.
    const refusedAbove = (store: Calibration): number => judge(covered(0.55), store).refusedAbove;
    expect(refusedAbove(highStore)).toBeLessThan(refusedAbove(fitCalibration([], true)));
    expect(refusedAbove(lowStore)).toBeGreaterThan(refusedAbove(fitCalibration([], true)));
  });

  test("hears no made question in a script of letters without spaces", () => {
    const letters = gateFeatureNames.indexOf("letters");
    const inThai = examples(160, 0.3, 0.1).map(({ features, isThere }) => ({
      features: features.with(letters, 1),
      isThere,
    }));
    expect(fitCalibration(inThai, true)).toEqual(fitCalibration([], true));
    expect(fitCalibration([...inThai, ...examples(20, 0.3, 0.1)], true)).toEqual(
      fitCalibration(examples(20, 0.3, 0.1), true),
    );
  });

  test("takes people's questions to have more evidence than made ones, by the same whatever the wish", () => {
    const made = examples(160, 0.5, 0.2);
    const withShift = (shift: number): Calibration => fitWithPrior(made, { ...prior, made: { ...prior.made, shift } });
    // As many made questions as the prior counts for move it by their part of all.
    const part = 160 / (160 + prior.made.questions);
    const [plain, raised] = [withShift(0), withShift(2)];
    expect(raised.coefficients).toEqual(plain.coefficients);
    for (const [at, value] of raised.answerable.entries())
      expect(value - (plain.answerable[at] ?? 0)).toBeCloseTo(2 * part, 9);
  });

  test("expects of people's questions what the changed coefficients give them", () => {
    // Each absent question finds nearly as much as one that is there: what is found says less than elsewhere.
    const made = examples(160, 0.5, 0.45);
    const priorAlone = { ...prior.made, questions: 1e9 };
    const none = prior.typical.map((features) => features.map(() => 0));
    const kept = fitWithPrior(made, { ...prior, typical: none, made: priorAlone });
    const followed = fitWithPrior(made, { ...prior, made: priorAlone });
    for (const [at, value] of kept.answerable.entries()) expect(value).toBeCloseTo(prior.answerable[at] ?? 0, 2);
    expect(followed.coefficients).toEqual(kept.coefficients);
    const change = kept.coefficients.map((value, at) => value - (prior.coefficients[at] ?? 0));
    const changes = prior.typical.map((features) => product(change, features));
    expect(Math.max(...changes.map(Math.abs))).toBeGreaterThan(0.1);
    const moved = followed.answerable.map((value, at) => value - (kept.answerable[at] ?? 0));
    expect(mean(moved)).toBeCloseTo(mean(changes), 2);
    expect(followed.answerable).toEqual([...followed.answerable].sort((a, b) => a - b));
  });
});

describe("the size of a store", () => {
  const withSize = (size: Partial<Record<(typeof gateFeatureNames)[number], number>>): number[] =>
    covered(0.6).map((value, at) => size[gateFeatureNames[at] ?? "offset"] ?? value);
  const bySize = { small: 3, large: 1 };
  const refusedAbove = (features: readonly number[], effect = bySize): number => {
    // Without weights for the size itself, only what is expected of it is left.
    const coefficients = prior.coefficients.map((value, at) =>
      ["small", "large", "letters"].includes(gateFeatureNames[at] ?? "") ? 0 : value,
    );
    return judge(features, { coefficients, answerable: prior.answerable }, effect).refusedAbove;
  };

  test("small or large, it makes the gate expect more evidence, and the confidence stays as it is", () => {
    expect(refusedAbove(withSize({ small: 0.2 }))).toBeLessThan(refusedAbove(withSize({})));
    expect(refusedAbove(withSize({ large: 0.4 }))).toBeLessThan(refusedAbove(withSize({})));
    const none = { small: 0, large: 0 };
    expect(refusedAbove(withSize({ small: 0.2 }), none)).toBe(refusedAbove(withSize({}), none));
    expect(judge(withSize({ small: 0.2 }), null).confidence).toBe(
      judge(withSize({ small: 0.2 }), null, none).confidence,
    );
  });
  test("of a few notes asks for no more than that of fifty", () => {
    expect(refusedAbove(withSize({ small: 1 }))).toBe(refusedAbove(withSize({ small: 0.2 })));
    expect(refusedAbove(withSize({ small: 0.15 }))).toBeGreaterThan(refusedAbove(withSize({ small: 0.2 })));
    expect(refusedAbove(withSize({ small: 0.1 }))).toBe(refusedAbove(withSize({})));
  });
  test("does not count in a script of letters without spaces", () => {
    expect(refusedAbove(withSize({ small: 0.2, letters: 1 }))).toBe(refusedAbove(withSize({ letters: 1 })));
  });
});

test("quantiles lie between the values and at their ends", () => {
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
  expect(quantile([1, 2, 3, 4], 0)).toBe(1);
  expect(quantile([1, 2, 3, 4], 1)).toBe(4);
  expect(quantile([7], 0.3)).toBe(7);
});

test("the share below is the inverse of the quantile, and goes on beyond both ends", () => {
  const sorted = Array.from({ length: 40 }, (_, at) => at / 4);
  for (const share of [0.02, 0.05, 0.3, 0.77, 0.98])
    expect(shareBelow(sorted, quantile(sorted, share))).toBeCloseTo(share, 9);
  expect(shareBelow(sorted, -5)).toBeLessThan(shareBelow(sorted, -1));
  expect(shareBelow(sorted, -5)).toBeGreaterThan(0);
  expect(shareBelow(sorted, 15)).toBeLessThan(1);
  expect(shareBelow([7], 7)).toBeGreaterThan(shareBelow([7], 6));
});
