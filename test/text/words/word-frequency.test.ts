import { expect, test } from "bun:test";
import { analyzeQuery } from "../../../src/text/analysis/analyze.ts";
import { termShare, unlistedShare, unspacedWordShare } from "../../../src/text/words/word-frequency.ts";

/** The shares of the terms that a question is searched by. */
const sharesOf = (question: string): (number | null)[] =>
  analyzeQuery(question).terms.map(({ term }) => termShare(term));

test("the common words of a language are told from its rare ones and from names", () => {
  const inOrder: [string, string, string][] = [
    ["year", "harbour", "Lindisfarne"],
    ["Jahr", "Eisenbahn", "Brandkraut"],
    ["année", "chirurgie", "Montgolfier"],
    ["год", "паровоз", "Ардашир"],
    ["χρόνος", "αρχιτεκτονική", "Παλαιολόγος"],
    ["سنة", "هندسة", "الزرقالي"],
    ["साल", "विज्ञान", "ब्रह्मगुप्त"],
    ["được", "trường", "Quetzalcoatl"],
  ];
  for (const words of inOrder) {
    const [common = 0, rare = 0, name = 0] = words.map((word) =>
      Math.max(...sharesOf(word).map((share) => share ?? 0)),
    );
    expect([words[0], common > 2 * rare && rare > name]).toEqual([words[0], true]);
  }
});

test("endings count together", () => {
  const [whole = null, stem = null] = sharesOf("Häuser").slice(0, 2);
  expect(stem ?? 0).toBeGreaterThan(whole ?? 0);
});

test("a word of no list is rarer than all of the lists", () => {
  expect(termShare("xkvjqz")).toBe(unlistedShare);
  expect(termShare("tesla") ?? 0).toBeGreaterThan(10 * unlistedShare);
});

test("no list tells of numbers, pairs of syllables and scripts that have none", () => {
  for (const term of ["2019", "fy19", "đại_học", "日本", "ประ", "საქ"]) expect(termShare(term)).toBeNull();
});

test("Chinese and Japanese words are known whole", () => {
  expect(unspacedWordShare("中国") ?? 0).toBeGreaterThan(unspacedWordShare("火山") ?? 1);
  expect(unspacedWordShare("学校") ?? 0).toBeGreaterThan(1e-6);
  expect(unspacedWordShare("鼷鹿")).toBeNull();
});
