import { expect, test } from "bun:test";
import { askingTerms, isAskingSegment } from "../../../src/retrieval/judge/asking-words.ts";
import { scanQuestion } from "../../../src/retrieval/judge/question-text.ts";
import { fold } from "../../../src/text/language/fold.ts";

test("words that ask are told by the language of the question", () => {
  const inVietnamese = askingTerms([scanQuestion("Ai đã phát minh ra bóng đèn?")]);
  expect(inVietnamese("ai")).toBe(true);
  // In another language it is an abbreviation.
  expect(askingTerms([scanQuestion("What is the budget of the AI department?")])("ai")).toBe(false);
  expect(askingTerms([scanQuestion("Ποιους νίκησε ο στρατός;")])(fold("ποιους"))).toBe(true);
  expect(askingTerms([scanQuestion("מי כתב את הספר")])("מי")).toBe(true);
});

test("what a name in a program is called by asks where a question names one", () => {
  for (const question of [
    "What is the purpose of the getTarget method?",
    "What does the common() method return?",
    "How does the `priority` method of the class work?",
  ])
    expect(askingTerms([scanQuestion(question)])("method")).toBe(true);
  for (const question of ["Which method did the surveyors use?", "Which method(s) did they use in 1912?"])
    expect(askingTerms([scanQuestion(question)])("method")).toBe(false);
  expect(askingTerms([scanQuestion("What is the purpose of the bower anchor?")])("purpose")).toBe(true);
});

test("segments of scripts without spaces", () => {
  expect(["ใด", "誰", "哪"].every(isAskingSegment)).toBe(true);
  expect(["東京", "โรงเรียน"].some(isAskingSegment)).toBe(false);
});
