import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ndcg, readBeirSet, recall } from "../../src/evaluation/beir.ts";
import { comparePaired, estimate } from "../../src/evaluation/estimates.ts";
import { estimateRefusal, refusalAt } from "../../src/evaluation/figures.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = await temporaryFolder("beir");
await mkdir(join(folder, "qrels"));
await Bun.write(
  join(folder, "corpus.jsonl"),
  '{"_id": "d1", "title": "One", "text": "First."}\n\n{"_id": 2, "text": "Second."}\n',
);
await Bun.write(
  join(folder, "queries.jsonl"),
  '{"_id": "q1", "text": "Which?"}\n{"_id": "q2", "text": "Not judged"}\n',
);
await Bun.write(join(folder, "qrels", "test.tsv"), "query-id\tcorpus-id\tscore\r\nq1\td1\t2\nq1\t2\t0\n");
await Bun.write(join(folder, "answers.jsonl"), '{"_id": "q1", "answers": ["First"]}\n');

test("documents, judged questions and known answers are read", async () => {
  const set = await readBeirSet(folder);
  expect(set.documents).toEqual([
    { id: "d1", title: "One", text: "First." },
    { id: "2", title: "", text: "Second." },
  ]);
  expect(set.queries).toEqual([{ id: "q1", text: "Which?", answers: ["First"] }]);
  expect(set.judgments.get("q1")).toEqual(
    new Map([
      ["d1", 2],
      ["2", 0],
    ]),
  );
});

test("what is wrong is named with file and line", async () => {
  await Bun.write(join(folder, "qrels", "broken.tsv"), "q1\td1\tmuch\n");
  await expect(readBeirSet(folder, "broken")).rejects.toThrow("broken.tsv, line 1");
  await Bun.write(join(folder, "queries.jsonl"), '{"_id": "q1", "text": "Which?"}\n{"_id": "q2"\n');
  await expect(readBeirSet(folder)).rejects.toThrow("queries.jsonl, line 2: not JSON");
});

const judged = new Map([
  ["a", 1],
  ["b", 1],
  ["c", 0],
]);

test("nDCG is 1 for the ideal order, discounts by rank, and counts graded relevance", () => {
  expect(ndcg(["a", "b", "x"], judged, 10)).toBe(1);
  expect(ndcg(["x", "a", "b"], judged, 10)).toBeCloseTo((1 / Math.log2(3) + 1 / 2) / (1 + 1 / Math.log2(3)), 10);
  expect(ndcg(["x", "y", "a"], judged, 2)).toBe(0);
  expect(ndcg(["a"], new Map(), 10)).toBe(0);
  const graded = new Map([
    ["a", 3],
    ["b", 1],
  ]);
  expect(ndcg(["b", "a"], graded, 10)).toBeCloseTo((1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)), 10);
});

test("recall is the part of the relevant among the first", () => {
  expect(recall(["a", "x", "b"], judged, 2)).toBe(0.5);
  expect(recall(["a", "x", "b"], judged, 3)).toBe(1);
  expect(recall(["c"], new Map([["c", 0]]), 3)).toBe(0);
});

test("an interval holds the mean, narrows with more questions, and repeats", () => {
  const few = estimate([0, 1, 0, 1]);
  const many = estimate(Array.from({ length: 400 }, (_, index) => index % 2));
  for (const { mean, low, high } of [few, many]) {
    expect(mean).toBe(0.5);
    expect(low).toBeLessThanOrEqual(0.5);
    expect(high).toBeGreaterThanOrEqual(0.5);
  }
  expect(many.high - many.low).toBeLessThan(few.high - few.low);
  expect(estimate([0, 1, 0, 1])).toEqual(few);
  expect(estimate([])).toEqual({ mean: 0, low: 0, high: 0 });
});

test("two runs are compared question by question", () => {
  const first = Array.from({ length: 60 }, (_, index) => (index % 3) / 3);
  const same = comparePaired(first, first);
  expect(same).toMatchObject({ mean: 0, better: 0, worse: 0, p: 1 });
  const better = comparePaired(
    first,
    first.map((value) => value + 0.1),
  );
  expect(better.mean).toBeCloseTo(0.1, 10);
  expect(better.p).toBeLessThan(0.01);
  expect(better.better).toBe(60);
  expect(() => comparePaired([1], [])).toThrow("same questions");
});

test("a gate is judged at the threshold that refuses few of the answerable", () => {
  const answerable = Array.from({ length: 100 }, (_, index) => (index + 1) / 100);
  const figures = refusalAt(answerable, [0.01, 0.02, 0.9], 0.05);
  expect(figures.falseRefusals).toBeLessThanOrEqual(0.05);
  expect(figures.threshold).toBe(0.06);
  expect(figures.refused).toBeCloseTo(2 / 3, 10);
  expect(refusalAt([], [], 0.05)).toEqual({ threshold: 1, falseRefusals: 0, refused: 0 });
});

test("an interval of what is refused counts the threshold's own uncertainty", () => {
  const answerable = Array.from({ length: 200 }, (_, index) => (index + 1) / 200);
  const unanswerable = Array.from({ length: 100 }, (_, index) => index / 1000);
  const found = estimateRefusal(answerable, unanswerable, 0.05);
  expect(found.refused).toBe(refusalAt(answerable, unanswerable, 0.05).refused);
  expect(found.low).toBeLessThan(found.refused);
  expect(found.high).toBeGreaterThan(found.refused);
  expect(estimateRefusal(answerable, unanswerable, 0.05)).toEqual(found);
});
