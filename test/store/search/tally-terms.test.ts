import { expect, test } from "bun:test";
import { createRandom } from "../../../src/evaluation/estimates.ts";
import { createTally, tallyTerms, tallyTermsInTurns } from "../../../src/store/search/tally-terms.ts";

test("a snippet counts once for each of its terms, and for each of its document's name, and its length once", () => {
  const titleTerms = "a d d";
  expect(
    tallyTerms([
      { terms: "a b a", headingTerms: "e bb", titleTerms },
      { terms: "b c", headingTerms: "", titleTerms },
      { terms: "", headingTerms: "", titleTerms: "" },
    ]),
  ).toEqual(
    new Map([
      [" ", 1],
      ["", 3],
      ["  ", 12],
      ["   ", 7],
      ["a", 1],
      ["b", 2],
      ["c", 1],
      [" a", 2],
      [" d", 2],
    ]),
  );
});

test("a large document is counted in turns, with many terms of any length and script", async () => {
  const random = createRandom(3);
  // "Aa" and "BB" get the same number, and so do terms made of them.
  const parts = ["Aa", "BB", "C#", "a", "東京", "é", "\u{1F600}", "z".repeat(300)];
  const pick = () => parts[Math.floor(random() * parts.length)] ?? "";
  const term = () => Array.from({ length: 1 + Math.floor(random() * 4) }, pick).join("");
  const terms = (most: number) => Array.from({ length: Math.floor(random() * most) }, term).join(" ");
  const titleTerms = "Aa BB Aa handbook";
  const snippets = Array.from({ length: 2_000 }, () => ({ terms: terms(60), headingTerms: terms(3), titleTerms }));
  const counted = await tallyTermsInTurns(snippets);
  const expected = new Map<string, number>();
  for (const snippet of snippets)
    for (const one of new Set(snippet.terms.split(" ").filter((each) => each !== "")))
      expected.set(one, (expected.get(one) ?? 0) + 1);
  expect(expected.size).toBeGreaterThan(1_000);
  const ofTexts = [...counted].filter(([key]) => !key.startsWith(" ") && key !== "");
  expect(new Map(ofTexts)).toEqual(expected);
  expect([" ", "", " Aa", " BB", " handbook"].map((key) => counted.get(key))).toEqual([1, 2_000, 2_000, 2_000, 2_000]);
});

test("terms that were chosen to have one hash by the usual polynomial do not hold it up", () => {
  const ofBits = (bits: number): string =>
    Array.from({ length: 16 }, (_, bit) => ((bits >> bit) & 1 ? "aA" : 'b"')).join("");
  const terms = Array.from({ length: 65_536 }, (_, bits) => ofBits(bits)).join(" ");
  const tally = createTally();
  tally.add({ terms, headingTerms: "", titleTerms: "" });
  expect(tally.size).toBe(65_536);
  // With one hash for all it takes forty seconds.
}, 20_000);
