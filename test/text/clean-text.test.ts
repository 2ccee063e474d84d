import { expect, test } from "bun:test";
import fc from "fast-check";
import { cleanText, countCharacters, isUnclean } from "../../src/text/clean-text.ts";

test("clean text drops NUL, replaces lone surrogates and leaves everything else", () => {
  expect(cleanText("a\u0000b\ud800c\udc00d 日本 🙂")).toBe("ab\ufffdc\ufffdd 日本 🙂");
});

test("a byte order mark at the start is dropped: it would be lost in the store, and positions with it", () => {
  expect(cleanText("\ufeffA lantern \ufeffhere")).toBe("A lantern \ufeffhere");
  expect(cleanText("\u0000\ufeff\ufeffA")).toBe("A");
});

test("clean text is clean, and cleaning it again changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const cleaned = cleanText(text);
      expect(isUnclean(cleaned)).toBe(false);
      expect(cleanText(cleaned)).toBe(cleaned);
      if (!isUnclean(text) && !text.startsWith("\ufeff")) expect(cleaned).toBe(text);
    }),
  );
});

test("characters are counted as code points", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(countCharacters(text)).toBe([...text].length);
    }),
  );
});
