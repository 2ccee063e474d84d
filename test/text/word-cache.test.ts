import { expect, test } from "bun:test";
import { createWordCache } from "../../src/text/word-cache.ts";

test("words asked for again stay, those of long ago go, and it never grows beyond twice its size", () => {
  const cache = createWordCache<number>(10);
  cache.set("kept", 0);
  for (let word = 1; word <= 100; word += 1) {
    cache.set(`word${word}`, word);
    expect(cache.get("kept")).toBe(0);
  }
  expect(cache.get("word1")).toBeUndefined();
  expect(cache.get("word100")).toBe(100);
  const held = Array.from({ length: 100 }, (_, index) => cache.get(`word${index + 1}`)).filter(
    (one) => one !== undefined,
  );
  expect(held.length).toBeLessThanOrEqual(20);
});

test("very long words are not kept", () => {
  const cache = createWordCache<number>(10);
  cache.set("a".repeat(65), 1);
  expect(cache.get("a".repeat(65))).toBeUndefined();
});
