import { expect, test } from "bun:test";
import { createRandom } from "../../../src/calibration/random.ts";
import {
  type Example,
  fitLogistic,
  logistic,
  product,
  solve,
} from "../../../src/retrieval/calibration/fit-logistic.ts";

const truth = [-0.5, 1.5, -2];
const examplesOf = (count: number): Example[] => {
  const random = createRandom(count);
  return Array.from({ length: count }, () => {
    const features = [1, 4 * random() - 2, 4 * random() - 2];
    return { features, positive: random() < logistic(product(truth, features)), weight: 1 };
  });
};
const precisionOf = (value: number) => truth.map((_, row) => truth.map((_, at) => (at === row ? value : 0)));
const distance = (a: readonly number[], b: readonly number[]) =>
  Math.hypot(...a.map((each, at) => each - (b[at] ?? 0)));

test("many examples give back the coefficients that they were drawn by", () => {
  const found = fitLogistic(examplesOf(20_000), { mean: [0, 0, 0], precision: precisionOf(0.01) });
  expect(distance(found, truth)).toBeLessThan(0.15);
});

test("few examples stay near the prior, more come nearer to the truth; none is the prior", () => {
  const prior = { mean: [2, -1, 1], precision: precisionOf(25) };
  expect(fitLogistic([], prior)).toEqual(prior.mean);
  const few = fitLogistic(examplesOf(5), prior);
  const many = fitLogistic(examplesOf(5_000), prior);
  expect(distance(few, prior.mean)).toBeLessThan(0.5);
  expect(distance(many, truth)).toBeLessThan(distance(few, truth));
});

test("a weight counts as so many examples", () => {
  const prior = { mean: [0, 0, 0], precision: precisionOf(1) };
  const examples = examplesOf(50);
  const twice = fitLogistic([...examples, ...examples], prior);
  const weighted = fitLogistic(
    examples.map((example) => ({ ...example, weight: 2 })),
    prior,
  );
  expect(distance(twice, weighted)).toBeLessThan(1e-6);
});

test("examples that a line separates keep finite coefficients", () => {
  const separable = [-2, -1, 1, 2].map((x): Example => ({ features: [1, x, 0], positive: x > 0, weight: 1 }));
  const found = fitLogistic(separable, { mean: [0, 0, 0], precision: precisionOf(0.01) });
  expect(found.every(Number.isFinite)).toBe(true);
  expect(found[1]).toBeGreaterThan(1);
});

test("a system is solved", () => {
  const [x, y] = solve(
    [
      [4, 1],
      [1, 3],
    ],
    [1, 2],
  );
  expect([x, y]).toEqual([expect.closeTo(1 / 11, 9), expect.closeTo(7 / 11, 9)]);
});
