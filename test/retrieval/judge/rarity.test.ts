import { expect, test } from "bun:test";
import fc from "fast-check";
import { minSnippets, smoothedCount, storeRarity } from "../../../src/retrieval/judge/rarity.ts";

const rarity = (snippets: number, counts: Record<string, number>) =>
  storeRarity({ snippets, counts: new Map(Object.entries(counts)) });

test("a word of one snippet is as rare in five notes as in a store of the usual size", () => {
  const inNotes = rarity(5, { year: 1, lindisfarne: 1 });
  const inStore = rarity(minSnippets, { year: 1, lindisfarne: 1 });
  for (const term of ["year", "lindisfarne", "absent"])
    expect(Math.abs(inNotes.ofTerm(term) - inStore.ofTerm(term))).toBeLessThan(0.5);
  expect(inNotes.ofTerm("lindisfarne")).toBeGreaterThan(2 * inNotes.ofTerm("year"));
});

test("a Chinese word is as rare as in its language, one of no list is not known", () => {
  const { ofUnspacedWord } = rarity(100, { 中国: 3, 火山: 3 });
  expect(ofUnspacedWord("中国", ["中国"]) ?? 9).toBeLessThan(ofUnspacedWord("火山", ["火山"]) ?? 0);
  expect(ofUnspacedWord("鼷鹿", ["鼷鹿"])).toBeNull();
});

test("a word is the less rare, the more forms it has, and its inflections count as the documents and the language have them", () => {
  const form = (term: string, isInflection = false) => ({ term, idf: 0, nameIdf: 0, isInflection });
  const { ofTerm, ofWord } = rarity(300, { starb: 1, gestorb: 40 });
  expect(ofWord([form("starben"), form("starb")])).toBe(Math.min(ofTerm("starben"), ofTerm("starb")));
  const inflected = ofWord([form("starb"), form("gestorb", true)]);
  expect(inflected).toBeLessThan(ofTerm("gestorb"));
  expect(ofWord([form("starb"), form("gestorb", true), form("sterb", true)])).toBeLessThan(inflected);
});

test("an empty store has rarities", () => {
  expect(rarity(0, {}).ofTerm("house")).toBeGreaterThan(0);
  expect(rarity(0, {}).ofTerm("2019")).toBeGreaterThan(0);
});

test("of two words that one note of ten has, the name is rarer than the common word", () => {
  const { ofTerm } = rarity(10, { lindisfarne: 1, year: 1 });
  expect(ofTerm("lindisfarne")).toBeGreaterThan(2 * ofTerm("year"));
});

test("a large store knows better than the language", () => {
  const { ofTerm } = rarity(1_000_000, { lindisfarne: 50_000, year: 50_000 });
  expect(ofTerm("lindisfarne")).toBeCloseTo(ofTerm("year"), 1);
});

test("where no list tells, the count stands", () => {
  expect(smoothedCount(100, 7, null)).toBe(7);
});

test("a smoothed count is one of the store, and grows with the count and the share", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat(1e6), share, share, (snippets, count, one, other) => {
      const held = Math.min(count, snippets);
      const [less, more] = one < other ? [one, other] : [other, one];
      const smoothed = smoothedCount(snippets, held, less);
      expect(smoothed).toBeGreaterThanOrEqual(0);
      expect(smoothed).toBeLessThanOrEqual(snippets * (1 + 1e-12));
      expect(smoothedCount(snippets, held, more)).toBeGreaterThanOrEqual(smoothed);
      if (held > 0) expect(smoothed).toBeGreaterThan(smoothedCount(snippets, held - 1, less));
    }),
  );
});
