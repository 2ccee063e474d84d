import { expect, test } from "bun:test";
import fc from "fast-check";
import { cleanText, countCharacters, isUnclean, shownText, storedText } from "../../src/text/clean-text.ts";

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

test("stored text has tabs, line breaks and no other control; shown text does not turn round either", () => {
  const text = "\ufeffa\u0000\u001b[2Jb\r\nc\rd\u0085e\ff\tg\u0007h\u007fi\u009bj\ud800 \u202ek\u2066l\u200f";
  expect(storedText(text)).toBe("a[2Jb\r\nc\rd\ne\nf\tghij\ufffd \u202ek\u2066l\u200f");
  expect(shownText(text)).toBe("a[2Jb\nc\nd\ne\nf\tghij\ufffd kl\u200f");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (any) => {
      expect(shownText(any)).not.toMatch(/[^\P{Cc}\t\n]|\p{Cs}|[\u202a-\u202e\u2066-\u2069]/u);
      expect(shownText(shownText(any))).toBe(shownText(any));
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
