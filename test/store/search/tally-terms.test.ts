import { expect, test } from "bun:test";
import { createRandom } from "../../../src/evaluation/estimates.ts";
import { tallyTerms, tallyTermsInTurns } from "../../../src/store/search/tally-terms.ts";

test("a snippet counts once for each of its terms, and for each of its document's name, and its length once", () => {
  const titleTerms = "a d d";
  expect([
    ...tallyTerms([
      { terms: "a b a", headingTerms: "e bb", titleTerms },
      { terms: "b c", headingTerms: "", titleTerms },
      { terms: "", headingTerms: "", titleTerms: "" },
    ]),
  ]).toEqual([
    [" ", 1],
    ["", 3],
    ["  ", 12],
    ["   ", 7],
    ["a", 1],
    ["b", 2],
    [" a", 2],
    [" d", 2],
    ["c", 1],
  ]);
});

test("a large document is counted alike in turns", async () => {
  const random = createRandom(3);
  // "Aa" and "BB" get the same number, and so do terms made of them.
  const parts = ["Aa", "BB", "C#", "a", "東京", "é", "x\ud83d"];
  const pick = () => parts[Math.floor(random() * parts.length)] ?? "";
  const term = () => Array.from({ length: 1 + Math.floor(random() * 3) }, pick).join("");
  const terms = (most: number) => Array.from({ length: Math.floor(random() * most) }, term).join(" ");
  const titleTerms = "Aa BB Aa handbook";
  const snippets = Array.from({ length: 2_000 }, () => ({ terms: terms(60), headingTerms: terms(3), titleTerms }));
  const sorted = (tally: ReadonlyMap<string, number>) => [...tally].toSorted();
  expect(sorted(await tallyTermsInTurns(snippets))).toEqual(sorted(tallyTerms(snippets)));
  expect(sorted(await tallyTermsInTurns([]))).toEqual(sorted(tallyTerms([])));
});
