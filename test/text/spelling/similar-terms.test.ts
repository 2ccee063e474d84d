import { expect, test } from "bun:test";
import { similarTermsIn } from "../../../src/text/spelling.ts";

const counted: [string, number][] = [
  ["warranti", 3],
  ["warrant", 9],
  ["waranti", 1],
  ["period", 40],
  ["warranti", 5],
  ["w4rranti", 7],
  ["guaranti", 7],
];

test("the fewest errors come first, then the term of most snippets", async () => {
  expect(await similarTermsIn(counted, ["warrantl"], 2)).toEqual(["warrant", "warranti", "waranti"]);
  expect(await similarTermsIn(counted, ["warantl"], 1)).toEqual(["waranti"]);
});

test("the nearest of all terms of a word counts", async () => {
  expect(await similarTermsIn(counted, ["warratni", "perlod"], 1)).toEqual(["period", "warranti"]);
});

test("no other term is near", async () => {
  expect(await similarTermsIn(counted, ["mortgag"], 1)).toEqual([]);
  expect(await similarTermsIn(counted, ["per"], 1)).toEqual([]);
  expect(await similarTermsIn([], ["warranti"], 2)).toEqual([]);
});
