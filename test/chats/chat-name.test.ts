import { expect, test } from "bun:test";
import fc from "fast-check";
import { nameFromMessage } from "../../src/chats/chats.ts";

test.each([
  ["  When do\n you open?  ", "When do you open?"],
  ["word ".repeat(20), "word word word word word word word word word word word word"],
  [`${"a".repeat(58)} bcd`, "a".repeat(58)],
  [`${"a".repeat(60)} b`, "a".repeat(60)],
  ["a".repeat(90), "a".repeat(60)],
  ["😀".repeat(61), "😀".repeat(60)],
])("%j becomes %j", (message, name) => {
  expect(nameFromMessage(message)).toBe(name);
});

test("is at most 60 characters of the message's own words", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      fc.pre(text.trim() !== "");
      const name = nameFromMessage(text);
      expect(Array.from(name).length).toBeLessThanOrEqual(60);
      expect(name).not.toBe("");
      expect(text.replace(/\s+/gu, " ").trim().startsWith(name)).toBe(true);
    }),
  );
});
