import { expect, test } from "bun:test";
import { stemForms } from "../../../src/text/analysis/stem.ts";
import { inflectionsOf } from "../../../src/text/words/inflections.ts";

type Language = Parameters<typeof stemForms>[1];

/** Whether a document with one word is found by another, as a form of it. */
const isFound = (asked: string, written: string, language: Language): boolean => {
  const inflections = inflectionsOf(stemForms(asked, language).at(-1) ?? "", language);
  return stemForms(written, language).some((term) => inflections.includes(term));
};

test("forms that a stemmer does not bring together are forms of one word", () => {
  const pairs: [string, string, Language][] = [
    ["starb", "gestorben", "german"],
    ["wept", "weep", "english"],
    ["ging", "gaan", "dutch"],
    ["stod", "stå", "swedish"],
    ["gick", "går", "swedish"],
    ["yazdı", "yazıyor", "turkish"],
    ["пишет", "писать", "russian"],
    ["πληρώσει", "πληρώνει", "greek"],
    ["किया", "करना", "hindi"],
    ["dibuat", "membuat", "none"], // Indonesian
  ];
  for (const [asked, there, language] of pairs)
    expect([asked, there, isFound(asked, there, language)]).toEqual([asked, there, true]);
});

test("there are at most four, never the term itself, and none of a word or language that is not listed", () => {
  const own = inflectionsOf("ging", "german");
  expect(own.length).toBe(4);
  expect(own).not.toContain("ging");
  expect(inflectionsOf("haus", "german")).toEqual([]);
  expect(inflectionsOf("xkvjqz", "german")).toEqual([]);
  expect(inflectionsOf("starb", "vietnamese")).toEqual([]);
});
