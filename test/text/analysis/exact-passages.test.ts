import { describe, expect, spyOn, test } from "bun:test";
import { foldForExact, holdsExactly } from "../../../src/text/analysis/exact-passages.ts";

const holds = (text: string, passage: string): boolean => holdsExactly(foldForExact(text), foldForExact(passage));

describe("a passage is held exactly", () => {
  test("whatever the case, the accents and the white space", () => {
    expect(holds("Der  Umsatz\nje Aktie stieg.", "umsatz je aktie")).toBe(true);
    expect(holds("le règlement", "Reglement")).toBe(true);
  });

  test("but not within a longer word or code", () => {
    expect(holds("part AB-1204/77 and XAB-1204/7", "AB-1204/7")).toBe(false);
    expect(holds("part AB-1204/77, then AB-1204/7.", "AB-1204/7")).toBe(true);
    expect(holds("networks", "network")).toBe(false);
  });

  test("also after a word that holds it at many places, which is not gone through for each of them", () => {
    const run = "a".repeat(10_000);
    const searches = spyOn(String.prototype, "indexOf");
    try {
      expect(holdsExactly(`${run} ${run}1 b${run}`, "aaa")).toBe(false);
      expect(searches.mock.calls.length).toBeLessThan(20);
      searches.mockClear();
      expect(holdsExactly(`${run} ${run}1 aaa`, "aaa")).toBe(true);
      expect(searches.mock.calls.length).toBeLessThan(20);
    } finally {
      searches.mockRestore();
    }
    expect(holdsExactly("aa-aa1 \u{10428}aa", "aa")).toBe(true);
    expect(holdsExactly("xaa漢aa", "漢aa")).toBe(true);
  });

  test("scripts without spaces know no word borders", () => {
    expect(holds("我住在東京都", "東京")).toBe(true);
  });
});
