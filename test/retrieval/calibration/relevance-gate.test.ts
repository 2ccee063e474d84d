import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { quantile } from "../../../src/retrieval/calibration/calibration.ts";
import { type CalibrationExample, fitCalibration } from "../../../src/retrieval/calibration/fit-calibration.ts";
import { gateFeatureNames } from "../../../src/retrieval/calibration/gate-features.ts";
import { prior } from "../../../src/retrieval/gate-coefficients.ts";
import { allowedFalseRefusals, judge } from "../../../src/retrieval/relevance-gate.ts";

/** Features of a question with the given coverage and nothing else. */
const covered = (coverage: number): number[] =>
  gateFeatureNames.map((name) =>
    name === "offset" ? 1 : name === "coverage" || name === "narrow" ? coverage : name === "surprise" ? coverage : 0,
  );

test("the prior has a coefficient for each feature", () => {
  expect(prior.coefficients).toHaveLength(gateFeatureNames.length);
  expect(prior.deviations).toHaveLength(gateFeatureNames.length);
  expect(prior.answerable).toEqual([...prior.answerable].sort((a, b) => a - b));
});

describe("the wish", () => {
  test("is the part of the answerable questions that may be refused", () => {
    expect(allowedFalseRefusals(0.5)).toBeCloseTo(0.05, 9);
    expect(allowedFalseRefusals(0)).toBe(0);
    expect(allowedFalseRefusals(1)).toBe(1);
    expect(allowedFalseRefusals(0.3)).toBeLessThan(0.05);
    expect(allowedFalseRefusals(0.8)).toBeGreaterThan(0.05);
  });
  test("0 refuses nothing and 1 everything; in between a higher one never refuses less", () => {
    expect(judge(covered(0), null, 0, true).isRefused).toBe(false);
    expect(judge(covered(1), null, 1, true).isRefused).toBe(true);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(judge(covered(0.5), null, high, true).refusedBelow).toBeGreaterThanOrEqual(
          judge(covered(0.5), null, low, true).refusedBelow,
        );
      }),
    );
  });
  test("counts far less where no answer is wanted", () => {
    for (let coverage = 0; coverage <= 1; coverage += 0.1) {
      const forAnswer = judge(covered(coverage), null, 0.5, true);
      const forSearch = judge(covered(coverage), null, 0.5, false);
      expect(forSearch.confidence).toBe(forAnswer.confidence);
      if (forSearch.isRefused) expect(forAnswer.isRefused).toBe(true);
    }
  });
});

test("more of the question found makes it surer; nothing found is refused", () => {
  expect(judge(covered(0.9), null, 0.5, true).confidence).toBeGreaterThan(
    judge(covered(0.2), null, 0.5, true).confidence,
  );
  expect(judge(null, null, 0.5, false)).toMatchObject({ confidence: 0, isRefused: true });
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
    const { coefficients, answerable } = fitCalibration([]);
    expect(coefficients).toEqual([...prior.coefficients]);
    for (const share of [0.05, 0.5, 0.95])
      expect(quantile(answerable, share)).toBeCloseTo(quantile(prior.answerable, share), 1);
  });

  test("changes little by few examples, much by many", () => {
    const change = (count: number): number => {
      const { coefficients } = fitCalibration(examples(count, 0.3, 0.1));
      return Math.hypot(...coefficients.map((value, at) => value - (prior.coefficients[at] ?? 0)));
    };
    expect(change(2)).toBeLessThan(change(20));
    expect(change(20)).toBeLessThan(change(200));
  });

  test("moves the threshold to where the store's own answerable questions are", () => {
    // A language whose words match by chance: absent questions find much, those that are there nearly all.
    const highStore = fitCalibration(examples(150, 0.9, 0.6));
    const lowStore = fitCalibration(examples(150, 0.4, 0.1));
    for (const [store, there] of [
      [highStore, 0.9],
      [lowStore, 0.4],
    ] as const)
      expect(judge(covered(there), store, 0.5, true).isRefused).toBe(false);
    expect(judge(covered(0.55), highStore, 0.5, true).isRefused).toBe(true);
    expect(judge(covered(0.55), lowStore, 0.5, true).isRefused).toBe(false);
  });
});

test("quantiles lie between the values and at their ends", () => {
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
  expect(quantile([1, 2, 3, 4], 0)).toBe(1);
  expect(quantile([1, 2, 3, 4], 1)).toBe(4);
  expect(quantile([7], 0.3)).toBe(7);
});
