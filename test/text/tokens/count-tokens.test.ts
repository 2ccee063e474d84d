import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countTokens as countByLibrary } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens } from "../../../src/text/tokens/count-tokens.ts";

/** The library counts the same plainly. It has no token for a byte order mark, which the published table has. */
const expected = (text: string): number => countByLibrary(text, { disallowedSpecial: new Set() });

describe("countTokens", () => {
  test.each([
    ["", 0],
    ["hello world", 2],
    // As published for o200k_base in OpenAI's cookbook.
    ["antidisestablishmentarianism", 6],
    ["お誕生日おめでとう", 8],
    ["2 + 2 = 4", 7],
  ])("%j has %i tokens", async (text, count) => {
    expect(await countTokens(text)).toBe(count);
  });

  test("counts a byte order mark as the published table has it", async () => {
    expect(await countTokens("\ufeff")).toBe(1);
    expect(await countTokens("\ufeffusing")).toBe(1);
  });

  test("counts special tokens as ordinary text", async () => {
    expect(await countTokens("<|endoftext|>")).toBe(7);
    expect(await countTokens("a<|fim_prefix|>b<|endofprompt|>")).toBe(expected("a<|fim_prefix|>b<|endofprompt|>"));
  });

  test("agrees with the library on any text", async () => {
    const unicode = fc.string({ unit: "grapheme", maxLength: 200 });
    const words = fc
      .array(
        fc.constantFrom(
          "don't",
          "WORLD's",
          " ",
          "\n",
          "\r\n",
          "  ",
          "/",
          "://",
          "東京",
          "é",
          "12345",
          "ᾳ",
          "𠮷",
          "'",
          "\t",
        ),
      )
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(fc.oneof(unicode, words, fc.string({ unit: "binary", maxLength: 100 })), async (text) => {
        const whole = text.toWellFormed();
        expect(await countTokens(whole)).toBe(expected(whole));
      }),
      { numRuns: 500 },
    );
  });

  test("agrees with the library on a long text, which is counted in windows", async () => {
    const sentence = "In winter the reading room opens at nine; it's closed on 24 December.\n東京都の図書館。 ";
    const text = sentence.repeat(3_000);
    expect(await countTokens(text)).toBe(expected(text));
  });

  test.each([
    ["one letter", "a".repeat(1_000_000), 125_000],
    ["white space", " ".repeat(1_000_000), 7_813],
    ["no boundary at all", "東京".repeat(250_000), 250_000],
  ])("takes hostile input in its stride: %s", async (_name, text, about) => {
    expect(Math.abs((await countTokens(text)) - about)).toBeLessThanOrEqual(20);
  });
});
