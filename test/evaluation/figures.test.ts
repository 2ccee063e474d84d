import { expect, test } from "bun:test";
import { checkComparable, compareRuns, estimatesOf, metricsOf, refusalOf } from "../../src/evaluation/figures.ts";
import type { EvaluationRun, SetResult } from "../../src/evaluation/run-file.ts";

const ids = Array.from({ length: 40 }, (_, index) => `q${index}`);

const setResult = (recall: (index: number) => number, change: Partial<SetResult> = {}): SetResult => ({
  name: "one",
  documents: 10,
  questions: ids,
  runs: {
    fused: {
      ndcg10: ids.map((_, index) => recall(index)),
      recall5: ids.map((_, index) => recall(index)),
      recall10: ids.map(() => 1),
      recall20: ids.map(() => 1),
      confidence: ids.map((_, index) => (index + 1) / 40),
    },
  },
  foreign: [0.01, 0.02, 0.9, 0.3],
  foreignQuestions: ["two/a", "two/b", "two/c", "two/d"],
  sentences: null,
  ...change,
});

const runOf = (...sets: SetResult[]): EvaluationRun => ({
  format: "carrel-eval-1",
  version: "1",
  at: "2026-01-01T00:00:00.000Z",
  embedding: { provider: "builtin", model: "static" },
  threshold: 0.5,
  sets,
});

test("a set's figures: what was found, what was refused at the threshold, and at the best one", () => {
  const set = setResult((index) => index % 2);
  const figures = estimatesOf(set, 0.5);
  expect(figures.recall5?.mean).toBe(0.5);
  expect(figures.falseRefusals?.mean).toBe(19 / 40);
  expect(figures.refused?.mean).toBe(0.75);
  expect(figures.first).toBeUndefined();
  const best = refusalOf(set);
  expect(best?.threshold).toBe(3 / 40);
  expect(best?.refused).toBe(0.5);
  expect(refusalOf(setResult(() => 1, { foreign: [] }))).toBeNull();
});

test("what a model wrote is judged as a whole, quotations one by one", () => {
  const sentences = {
    questions: ["q0"],
    byModel: true,
    whole: [1],
    first: [],
    amongThree: [],
    overlapFirst: [],
    overlapAmongThree: [],
  };
  const keys = metricsOf(
    setResult(() => 1, { sentences }),
    0.5,
  ).map(({ key }) => key);
  expect(keys).toContain("answer");
  expect(keys).not.toContain("first");
});

test("runs are compared figure by figure; what is not of the same questions is notCompared out and named", () => {
  const earlier = runOf(setResult(() => 0));
  const now = runOf(setResult(() => 1, { foreignQuestions: ["two/a", "two/b", "two/c", "two/e"] }));
  const { compared, notCompared } = compareRuns(earlier, now);
  expect(compared.find(({ label }) => label === "recall@5")).toMatchObject({ earlier: 0, now: 1, mean: 1, better: 40 });
  expect(compared.find(({ label }) => label === "recall@5")?.p).toBeLessThan(0.001);
  expect(compared.find(({ label }) => label === "recall@10")).toMatchObject({ mean: 0, p: 1 });
  expect(notCompared).toEqual(["one: others refused"]);
});

test("runs over other questions are refused, each set with its reason", () => {
  const earlier = runOf(setResult(() => 0));
  const sets = [
    { name: "one", questions: [...ids.slice(1), "new", "newer"] },
    { name: "two", questions: ids },
  ];
  expect(() => checkComparable(earlier, sets)).toThrow(
    "same questions can be compared:\n  one: 41 questions now, 40 then (2 new, 1 gone)\n  two: the earlier run did not ask it",
  );
  expect(() => checkComparable(earlier, [{ name: "one", questions: [...ids].reverse() }])).toThrow("another order");
});
