import { expect, test } from "bun:test";
import fc from "fast-check";
import { readFrequencyTable, shareIn, writeFrequencyTable } from "../../../src/text/words/word-frequency.ts";

const written = (shares: Record<string, number>) => writeFrequencyTable(new Map(Object.entries(shares)));

test("each term has its share, to a tenth of a factor of ten", () => {
  const share = fc.integer({ min: 1, max: 80 }).map((decibels) => 10 ** (-decibels / 10));
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), share, { maxKeys: 200 }), (shares) => {
      const table = readFrequencyTable(written(shares));
      // Hashes of a few hundred terms that are alike are rarer than this test is run.
      for (const [term, own] of Object.entries(shares)) expect(shareIn(table, term)).toBeCloseTo(own, 9);
    }),
  );
});

test("a term that was not written has none", () => {
  const table = readFrequencyTable(written({ house: 1e-3, ship: 1e-4 }));
  expect(shareIn(table, "houses")).toBeNull();
  expect(shareIn(readFrequencyTable(written({})), "house")).toBeNull();
});

test("a table in the middle of a buffer is read too", () => {
  const file = written({ house: 1e-3 });
  const shifted = new Uint8Array(file.length + 1);
  shifted.set(file, 1);
  expect(shareIn(readFrequencyTable(shifted.subarray(1)), "house")).toBeCloseTo(1e-3, 9);
});

test("a damaged table is an error", () => {
  const file = written({ house: 1e-3 });
  expect(() => readFrequencyTable(file.slice(0, -1))).toThrow("table of word frequencies is incomplete");
  expect(() => readFrequencyTable(file.slice(1))).toThrow("damaged or of an unknown layout");
  expect(() => readFrequencyTable(new Uint8Array())).toThrow("damaged or of an unknown layout");
});
