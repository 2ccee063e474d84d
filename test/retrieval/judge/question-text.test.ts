import { expect, test } from "bun:test";
import fc from "fast-check";
import { firmTerms, isMissingCode, scanQuestion } from "../../../src/retrieval/judge/question-text.ts";

const firm = (text: string): string[] => [...firmTerms([scanQuestion(text)])].sort();

test("names within a sentence, numbers and identifiers are firm; its first word and common ones are not", () => {
  expect(firm("Which team did Denver beat in 2015?")).toEqual(["2015", "denver"]);
  expect(firm("¿Quién ganó la Ekstraklasa en el año 2000?")).toEqual(["2000", "ekstraklasa"]);
  expect(firm("Кто открыл закон Ома?")).toEqual(["ома"]);
  expect(firm("what does run_target return for DiffExecutor")).toEqual(
    expect.arrayContaining(["run_target", "diffexecutor", "executor"]),
  );
  expect(firm("1564年建立的法国殖民地叫什么名字?")).toEqual(["1564"]);
  expect(firm("2015년에 NASA가 발표한")).toEqual(["2015", "nasa"]);
  expect(firm("How fast is it? Roses grow slowly")).toEqual([]);
});

test("words written as code are firm, whatever their letters", () => {
  expect(firm("what does the common() method do with `salt value` and employee(s)")).toEqual([
    "common",
    "salt",
    "value",
  ]);
  expect(firm("Was macht die Funktion `lesen` mit dem Wert?")).toEqual(["lesen"]);
});

test("German nouns are no names", () => {
  expect(firm("Wie viele Punkte gab die Verteidigung der Panthers im Jahr 2015 ab?")).toEqual(["2015"]);
});

test("capitals as a style name nothing", () => {
  expect(firm("How Do You Prune Old Roses In March")).toEqual([]);
  expect(firm("when did denver win")).toEqual([]);
});

test("a code, a model or a year that no document has is missing, whole and in pieces; other numbers are not", () => {
  const known = new Set(["e18", "px", "400", "2024", "1620", "21"]);
  const isKnown = (term: string): boolean => known.has(term);
  for (const missing of ["e99", "px-500", "2021", "20991", "2024-205"])
    expect(isMissingCode(missing, isKnown)).toBe(true);
  for (const term of ["e18", "px-400", "2024", "1620-21", "5pm", "10kg", "10", "word"])
    expect(isMissingCode(term, isKnown)).toBe(false);
});

test("any text will do", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      for (const term of firmTerms([scanQuestion(text)])) expect(typeof term).toBe("string");
    }),
  );
});
