import { describe, expect, test } from "bun:test";
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

  test("scripts without spaces know no word borders", () => {
    expect(holds("我住在東京都", "東京")).toBe(true);
  });
});
