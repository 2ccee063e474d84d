import { expect, test } from "bun:test";
import fc from "fast-check";
import { scanQuestion } from "../../../src/retrieval/judge/question-text.ts";
import { questionUnits } from "../../../src/retrieval/judge/text-evidence.ts";
import { queryWords } from "../../../src/retrieval/scores/text-score.ts";
import { analyzeQuery } from "../../../src/text/analysis/analyze.ts";

const wordsOf = (query: string) =>
  queryWords(analyzeQuery(query).terms, { snippets: 10, counts: new Map(), titles: new Map() });

/** The terms of each unit. */
const unitsOf = (query: string, knownPairs: readonly string[] = []): string[][] => {
  const words = wordsOf(query);
  const known = words.map(({ forms }) => forms.some(({ term }) => !term.includes("_") || knownPairs.includes(term)));
  return questionUnits(words, [scanQuestion(query)], known).map(({ members }) =>
    members.map((member) => words[member]?.forms[0]?.term ?? "?"),
  );
};

test("words of a script with spaces are units", () => {
  expect(unitsOf("When are roses pruned?")).toHaveLength(wordsOf("When are roses pruned?").length);
});

test("pairs of characters of one word are one unit, pairs across two words are none", () => {
  const units = unitsOf("殖民地的西半部分的名称");
  expect(units).toContainEqual(["名称"]);
  expect(units.flat()).not.toContain("分的");
  expect(units.some((unit) => unit.includes("殖民"))).toBe(true);
});

test("single characters in a row are one unit: many are names", () => {
  expect(unitsOf("黑豹队的防守")).toContainEqual(["黑豹", "豹队", "队的"]);
});

test("a word in another script beside them is a unit of its own", () => {
  expect(unitsOf("erganzungsschulen是如何获得资金的")).toContainEqual(["erganzungsschulen"]);
});

test("Thai and Japanese words are units", () => {
  expect(unitsOf("พรรคการเมืองชนะการเลือกตั้ง").length).toBeGreaterThan(2);
  expect(unitsOf("東京の人口")).toEqual(expect.arrayContaining([["東京"], ["人口"]]));
});

test("Vietnamese syllables are one unit where a document has the pair, and else two", () => {
  const query = "Núi lửa phun trào ở Hà Nội";
  expect(unitsOf(query)).not.toContainEqual([expect.stringContaining("_")]);
  const [pair = ""] = wordsOf(query).flatMap(({ forms }) =>
    forms.map(({ term }) => term).filter((each) => each.includes("_")),
  );
  const units = unitsOf(query, [pair]);
  expect(units).toContainEqual([pair]);
  for (const half of pair.split("_")) expect(units).not.toContainEqual([half]);
  expect(units).toHaveLength(unitsOf(query).length - 1);
});

test("words that only ask are no units in a script without spaces", () => {
  expect(unitsOf("ใครชนะการเลือกตั้ง").flat().join()).not.toContain("ใค");
});

test("each word is in a unit or across two; no unit is empty", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (query) => {
      const words = wordsOf(query);
      const units = questionUnits(
        words,
        [scanQuestion(query)],
        words.map((_, at) => at % 2 === 0),
      );
      expect(units.every(({ members }) => members.length > 0)).toBe(true);
      expect(units.length > 0).toBe(words.length > 0);
      for (const { members } of units) for (const member of members) expect(words[member]).toBeDefined();
    }),
    { numRuns: 100 },
  );
});
