import { expect, test } from "bun:test";
import fc from "fast-check";
import { createWordCache } from "../../../src/text/words/word-cache.ts";

const get = <V>(cache: ReturnType<typeof createWordCache<V>>, word: string) => cache.get(word, 0, word.length);
const set = <V>(cache: ReturnType<typeof createWordCache<V>>, word: string, value: V) =>
  cache.set(word, 0, word.length, value);

test("words asked for again stay, others make room, and it never grows beyond its size", () => {
  const cache = createWordCache<number>(16);
  set(cache, "kept", 0);
  for (let word = 1; word <= 1_000; word += 1) {
    set(cache, `word${word}`, word);
    expect(get(cache, "kept")).toBe(0);
  }
  expect(get(cache, "word1000")).toBe(1_000);
  const held = Array.from({ length: 1_000 }, (_, index) => get(cache, `word${index + 1}`)).filter(Number.isInteger);
  expect(held.length).toBeLessThan(16);
});

test("a word is found wherever it stands in a text", () => {
  const cache = createWordCache<string>(64);
  cache.set("one two", 4, 7, "two");
  expect(cache.get("two", 0, 3)).toBe("two");
  expect(cache.get("a two-fold", 2, 5)).toBe("two");
  expect(cache.get("a two-fold", 2, 6)).toBeUndefined();
});

test("very long words, and none, are not kept", () => {
  const cache = createWordCache<number>(16);
  set(cache, "a".repeat(33), 1);
  expect(get(cache, "a".repeat(33))).toBeUndefined();
  set(cache, "", 1);
  expect(get(cache, "")).toBeUndefined();
});

test("whatever the words are, a result is the one kept last for that word", () => {
  const word = fc.oneof(fc.string({ maxLength: 4 }), fc.string({ unit: "binary", maxLength: 40 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(word, fc.nat()), { maxLength: 200 }), (pairs) => {
      const cache = createWordCache<number>(16);
      const last = new Map<string, number>();
      for (const [text, value] of pairs) {
        set(cache, text, value);
        last.set(text, value);
        for (const [known, expected] of last) expect([undefined, expected]).toContain(get(cache, known));
      }
    }),
    { numRuns: 200 },
  );
});
