import { expect, test } from "bun:test";
import type { Check } from "../../src/evaluation/check.ts";
import { type CheckedAnswer, unmetExpectations } from "../../src/evaluation/check.ts";

const check = (expected: Partial<Check["expect"]>): Check => ({
  question: "?",
  name: null,
  partition: null,
  document: null,
  metadata: null,
  snippets: null,
  where: "checks.yaml:1",
  expect: { documents: [], contains: [], answer: [], refusal: null, ...expected },
});

const answered: CheckedAnswer = {
  answer: "The pump is serviced every [1] 400\nhours [2].",
  relevantDocuments: [
    { id: "id-1", name: "pumps.md", metadata: { externalId: "file:pumps" } },
    { id: "id-2", name: "fans.md", metadata: null },
  ],
  relevantSnippets: [{ metadata: { content: "Its oil is ＳＡＥ 30." } }],
  receipt: { confidence: 0.9 },
};
const refused: CheckedAnswer = {
  answer: "The documents do not hold an answer.",
  relevantDocuments: [],
  relevantSnippets: [],
  receipt: { confidence: 0.125 },
};

test("documents are known by name, id and externalId; all must be there", () => {
  for (const name of ["pumps.md", "id-1", "file:pumps"])
    expect(unmetExpectations(check({ documents: [name] }), answered)).toEqual([]);
  expect(unmetExpectations(check({ documents: ["pumps.md", "other.md"] }), answered)).toEqual([
    'no snippet is from "other.md", but from "pumps.md", "fans.md"',
  ]);
});

test("texts are looked for without regard to case, width, space and marks", () => {
  expect(
    unmetExpectations(check({ answer: ["EVERY 400 hours"], contains: ["400 hours.", "oil is SAE 30"] }), answered),
  ).toEqual([]);
  expect(unmetExpectations(check({ answer: ["SAE 30"], contains: ["diesel", "petrol"] }), answered)).toEqual([
    'the answer does not contain "SAE 30"',
    'neither the answer nor a snippet contains "diesel", "petrol"',
  ]);
});

test("a refusal is what was expected, or is the one thing that is told", () => {
  expect(unmetExpectations(check({ refusal: true }), refused)).toEqual([]);
  expect(unmetExpectations(check({ refusal: false }), answered)).toEqual([]);
  expect(unmetExpectations(check({ refusal: true }), answered)[0]).toContain('answered from "pumps.md"');
  expect(unmetExpectations(check({ refusal: false }), refused)).toEqual(["it was refused (confidence 0.13)"]);
  expect(unmetExpectations(check({ documents: ["a"], contains: ["b"] }), refused)).toHaveLength(1);
});
