import { expect, test } from "bun:test";
import { gateFeatureNames } from "../../../src/retrieval/calibration/feature-names.ts";
import { withModelTrust } from "../../../src/retrieval/calibration/model-trust.ts";
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
  (withModelTrust(prior.coefficients, examples)[place] ?? 0) / (prior.coefficients[place] ?? 1);

test("a model to which everything is alike says nothing, one that tells questions apart says what it said", () => {
  expect(trustBy(asked(160, 2, 2))).toBeLessThan(0.2);
  expect(trustBy(asked(160, 3, 2))).toBeCloseTo(1, 9);
  expect(trustBy(asked(160, 2.05, 2))).toBeGreaterThan(trustBy(asked(160, 2, 2)));
});

test("few questions change little of it, and none nothing", () => {
  expect(trustBy(asked(2, 2, 2))).toBeGreaterThan(0.8);
  expect(trustBy([])).toBe(1);
});

test("the other coefficients stay", () => {
  const trusted = withModelTrust(prior.coefficients, asked(160, 2, 2));
  for (const [at, name] of gateFeatureNames.entries())
    if (!/odel/.test(name)) expect(trusted[at]).toBe(prior.coefficients[at] ?? Number.NaN);
});
