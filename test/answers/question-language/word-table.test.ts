import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  eachLanguageOf,
  readWordTable,
  type WordEntry,
  type WordTable,
  writeWordTable,
} from "../../../src/answers/question-language/word-table.ts";

const entriesOf = (table: WordTable, word: string): [number, number][] => {
  const found: [number, number][] = [];
  eachLanguageOf(table, word, (language, rarity) => found.push([language, rarity]));
  return found;
};

test("each word has the languages and rarities that were written", () => {
  const entry: fc.Arbitrary<WordEntry> = fc.record({
    word: fc.string({ minLength: 1, maxLength: 4 }),
    language: fc.nat(40),
    rarity: fc.nat(255),
  });
  const selector = ({ word, language }: WordEntry): string => `${language} ${word}`;
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector, maxLength: 200 }), (entries) => {
      const table = readWordTable(writeWordTable(entries));
      for (const [word, own] of Map.groupBy(entries, (one) => one.word)) {
        const expected = own.map(({ language, rarity }) => [language, rarity] as [number, number]);
        expect(entriesOf(table, word)).toEqual(expected.sort(([one], [other]) => one - other));
      }
    }),
  );
});

test("a word that was not written has none", () => {
  expect(entriesOf(readWordTable(writeWordTable([])), "was")).toEqual([]);
  expect(entriesOf(readWordTable(writeWordTable([{ word: "was", language: 0, rarity: 90 }])), "wer")).toEqual([]);
});

test("a damaged table is refused", () => {
  const file = writeWordTable([{ word: "was", language: 0, rarity: 90 }]);
  expect(() => readWordTable(file.subarray(0, file.length - 1))).toThrow("incomplete");
  expect(() => readWordTable(file.subarray(1))).toThrow("damaged");
});
