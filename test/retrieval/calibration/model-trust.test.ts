import { expect, test } from "bun:test";
import { gateFeatureNames } from "../../../src/retrieval/calibration/feature-names.ts";
import { hearModel } from "../../../src/retrieval/calibration/model-trust.ts";
import { prior } from "../../../src/retrieval/gate-coefficients.ts";

const place = gateFeatureNames.indexOf("modelLead");

/** Questions whose nearest snippet, by the model, leads by so much. */
const asked = (count: number, there: number, absent: number) =>
  Array.from({ length: count }, (_, at) =>
    ([true, false] as const).map((isThere) => ({
      features: gateFeatureNames.map((name, feature) => {
        if (name === "hasModel") return 1;
        return feature === place ? (isThere ? there : absent) + Math.sin(at) : 0;
      }),
      isThere,
    })),
  ).flat();

const trustBy = (examples: ReturnType<typeof asked>): number =>
  (hearModel(prior.coefficients, examples).coefficients[place] ?? 0) / (prior.coefficients[place] ?? 1);

test("a model to which everything is alike says nothing, one that tells questions apart says what it said", () => {
  expect(trustBy(asked(160, 2, 2))).toBeLessThan(0.2);
  expect(trustBy(asked(160, 2.05, 2))).toBeGreaterThan(trustBy(asked(160, 2, 2)));
  expect(trustBy(asked(160, 2.15, 2))).toBeWithin(0.8, 1.2);
});

test("a model that knows the language says twice as much, and more evidence is expected of questions that are there", () => {
  const known = asked(2_000, 4, 2);
  expect(trustBy(known)).toBeCloseTo(2, 1);
  expect(hearModel(prior.coefficients, known).expected).toBeCloseTo(0.5, 1);
  expect(hearModel(prior.coefficients, asked(160, 2, 2)).expected).toBe(0);
});

test("few questions change little of it, and none nothing", () => {
  expect(trustBy(asked(2, 2, 2))).toBeGreaterThan(0.8);
  expect(trustBy([])).toBe(1);
  expect(hearModel(prior.coefficients, []).expected).toBe(0);
});

test("the other coefficients stay", () => {
  const { coefficients } = hearModel(prior.coefficients, asked(160, 4, 2));
  for (const [at, name] of gateFeatureNames.entries())
    if (!/odel/.test(name)) expect(coefficients[at]).toBe(prior.coefficients[at] ?? Number.NaN);
});
