import { expect, test } from "bun:test";
import { createRunFinders } from "../../../src/retrieval/judge/found-words.ts";
import { analyze } from "../../../src/text/analysis/analyze.ts";

const runsIn = (text: string, titleTerms = "") =>
  createRunFinders()({ terms: analyze(text).join(" "), headingTerms: "", titleTerms });

test("a word in a script without spaces is there in one piece, with the part of its pairs that stand together", () => {
  const runs = runsIn("พรรคการเมืองชนะการเลือกตั้ง");
  expect(runs("การเมือง")).toBe(1);
  // Each of its pairs is in the text, but not this word.
  expect(runs("เมืองการ")).toBeLessThan(1);
  const chinese = runsIn("殖民地的西半部分的名称");
  expect(chinese("殖民地")).toBe(1);
  expect(chinese("名称")).toBe(1);
  expect(chinese("殖民者")).toBe(0.5);
  expect(chinese("英国")).toBe(0);
});

test("a word over two fields is in neither", () => {
  expect(runsIn("殖民", "民地")("殖民地")).toBe(0.5);
});
