import { expect, test } from "bun:test";
import fc from "fast-check";
import { groupsIn, readInflectionTable, writeInflectionTable } from "../../../src/text/words/inflections.ts";

const written = (groups: Record<string, string[][]>) => writeInflectionTable(new Map(Object.entries(groups)));

test("each term is found with all its groups, in their order, and in its language alone", () => {
  const term = fc.stringMatching(/^[\p{L}'~]{1,12}$/u);
  const group = fc.uniqueArray(term, { minLength: 1, maxLength: 6 });
  const groups = fc.uniqueArray(group, { maxLength: 40, selector: (terms) => terms.join(" ") });
  fc.assert(
    fc.property(groups, groups, (german, dutch) => {
      const table = readInflectionTable(written({ german, dutch }));
      for (const [language, own] of Object.entries({ german, dutch }))
        for (const each of own.flat())
          expect(groupsIn(table, language, each)).toEqual(own.filter((terms) => terms.includes(each)));
    }),
  );
});

test("a term that was not written is in no group", () => {
  const table = readInflectionTable(written({ german: [["starb", "sterb", "gestorb"]] }));
  expect(groupsIn(table, "german", "sterben")).toEqual([]);
  expect(groupsIn(table, "dutch", "starb")).toEqual([]);
  expect(groupsIn(readInflectionTable(written({})), "german", "starb")).toEqual([]);
});

test("a table in the middle of a buffer is read too", () => {
  const file = written({ german: [["starb", "sterb"]] });
  const shifted = new Uint8Array(file.length + 1);
  shifted.set(file, 1);
  expect(groupsIn(readInflectionTable(shifted.subarray(1)), "german", "sterb")).toEqual([["starb", "sterb"]]);
});

test("a damaged table is an error", () => {
  const file = written({ german: [["starb", "sterb"]] });
  expect(() => readInflectionTable(file.slice(0, -1))).toThrow("table of inflections is incomplete");
  expect(() => readInflectionTable(file.slice(0, 20))).toThrow("table of inflections is incomplete");
  expect(() => readInflectionTable(file.slice(1))).toThrow("damaged or of an unknown layout");
  expect(() => readInflectionTable(new Uint8Array())).toThrow("damaged or of an unknown layout");
});
