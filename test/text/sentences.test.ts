import { expect, test } from "bun:test";
import { endOfSentence } from "../../src/text/sentences.ts";

const split = (text: string): string[] => {
  const sentences: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfSentence(text, at, text.length);
    sentences.push(text.slice(at, end).trim());
    at = end;
  }
  return sentences;
};

test.each([
  ["two sentences", "It rains. We stay.", ["It rains.", "We stay."]],
  [
    "abbreviations",
    "Dr. Smith met Mr. J. Doe, e.g. at noon. They spoke.",
    ["Dr. Smith met Mr. J. Doe, e.g. at noon.", "They spoke."],
  ],
  ["numbers", "It costs 3.50 euros. Pay now.", ["It costs 3.50 euros.", "Pay now."]],
  ["German ordinals", "Am 3. Oktober ist frei. Danach nicht.", ["Am 3. Oktober ist frei.", "Danach nicht."]],
  ["closing marks", 'She said "stop." He did.', ['She said "stop."', "He did."]],
  ["Chinese", "今天下雨。我们在家！好吗？", ["今天下雨。", "我们在家！", "好吗？"]],
  ["Hindi", "यह एक है। वह दो है।", ["यह एक है।", "वह दो है।"]],
  [
    "all in small letters",
    "the company paid dividends. the board approved it.",
    ["the company paid dividends.", "the board approved it."],
  ],
  ["domain names", "See example.com for more. Thanks.", ["See example.com for more.", "Thanks."]],
])("%s", (_name, text, sentences) => {
  expect(split(text)).toEqual(sentences);
});
