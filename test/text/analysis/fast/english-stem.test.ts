import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { newStemmer } from "snowball-stemmers";
import { stemEnglish } from "../../../../src/text/analysis/fast/english-stem.ts";

const library = newStemmer("english");
const endings =
  "s 's s' ed eed eedly edly ied ies ing ingly y li ogi tional ational ization fulness iveness iviti biliti alize icate ative ement ment ion able e ll".split(
    " ",
  );

test("every word of the vocabulary, with endings that are none of it too, has the library's stem", () => {
  const path = new URL("../../../../providers/builtin/wordpiece/vocabulary.txt", import.meta.url);
  const words = readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.replace(/^##/, ""));
  const forms = words.flatMap((word, at) => [word, word + endings[at % endings.length], word + endings[at % 7]]);
  const differing = forms.filter((form) => stemEnglish(form) !== library.stem(form));
  expect(words.length).toBeGreaterThan(30_000);
  expect(differing).toEqual([]);
});

test("what is no word has the library's stem too", () => {
  const parts = [..."aeiouylrstwxzé'", ...endings, "gener", "commun", "arsen", "bb", "at", "bl", "iz", "sky", "inning"];
  const forms = fc.array(fc.constantFrom(...parts), { maxLength: 7 }).map((chosen) => chosen.join(""));
  fc.assert(
    fc.property(forms, (form) => {
      expect(stemEnglish(form)).toBe(library.stem(form));
    }),
    { numRuns: 20_000 },
  );
});

test("irregular words have theirs", () => {
  const forms =
    "skis skies dying idly gently early only news atlas cosmos bias andes innings proceeded generously".split(" ");
  expect(Object.fromEntries(forms.map((form) => [form, stemEnglish(form)]))).toEqual({
    skis: "ski",
    skies: "sky",
    dying: "die",
    idly: "idl",
    gently: "gentl",
    early: "earli",
    only: "onli",
    news: "news",
    atlas: "atlas",
    cosmos: "cosmos",
    bias: "bias",
    andes: "andes",
    innings: "inning",
    proceeded: "proceed",
    generously: "generous",
  });
});
