import { expect, test } from "bun:test";
import fc from "fast-check";
import { guessLanguage, type QuestionLanguage } from "../../../src/answers/wording/question-language.ts";
import questionsByLanguage from "../../fixtures/languages/questions.json" with { type: "json" };

/** Ordinary questions, as people type them into a search field, some with a name of another language inside. */
const questions = Object.entries(questionsByLanguage).flatMap(([language, texts]) =>
  texts.map((text) => ({ language: language as QuestionLanguage, text, ...guessLanguage(text) })),
);

test("19 of 20 questions that are told are told right, and of the others most have their language among the likely", () => {
  const told = questions.filter(({ best }) => best !== null);
  const wrong = told.filter(({ language, best }) => language !== best);
  expect(told.length / questions.length).toBeGreaterThan(0.93);
  expect(wrong.length / told.length).toBeLessThan(0.05);
  expect(wrong.filter(({ language, likely }) => !likely.includes(language)).length).toBeLessThan(4);
});

test.each([
  "tl;dr",
  "hotel",
  "garantie",
  "Rechnung",
  "F7",
  "xyzzy 42",
  "Mona Lisa",
  "Les Misérables",
  "São Paulo",
  "wifi password",
  "config.yaml",
  "error 0x80070057",
  "ខ្មែរ",
  "",
])("%j tells no language", (text) => {
  expect(guessLanguage(text).best).toBeNull();
});

test.each([
  ["WO IST DIE APOTHEKE", "german"],
  ["und der Preis?", "german"],
  ["quanto ganha um enfermeiro", "portuguese"],
  ["gia ve bao nhieu tien", "vietnamese"],
  ["How much does crème brûlée cost?", "english"],
  ["Who is Gabriel García Márquez?", "english"],
  ["駐車場", "japanese"],
  ["停車場", "chineseTraditional"],
  ["停车场", "chinese"],
  ["аптека", "russian"],
  ["సమాధానం ఏమిటి?", "telugu"],
] as const)("%j is told as %s", (text, language) => {
  expect(guessLanguage(text).best).toBe(language);
});

test("any text has a guess, whose best is one of the likely", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 3000 }),
    fc.string({ unit: "grapheme", maxLength: 300 }),
  );
  fc.assert(
    fc.property(text, (any) => {
      const { likely, best } = guessLanguage(any);
      expect(best === null || likely.includes(best)).toBe(true);
    }),
  );
});
