import { expect, test } from "bun:test";
import type { Lance } from "../../../src/store/engine/lance.ts";
import { bestOfSegments, type Scored, textQueries } from "../../../src/store/search/text-query.ts";

const listOf = (first: number, scores: readonly number[]): Scored[] =>
  scores.map((score, at) => ({ id: BigInt(first + at), score }));
const namesOf = (found: readonly { segment: number; id: bigint }[]) =>
  found.map(({ segment, id }) => `${segment} ${id}`);

test("what queries find in several segments is added up as if they were one", () => {
  const ofOne = [listOf(0, [9, 7, 5, 3, 1]), listOf(2, [4, 4, 1])];
  const inOne = bestOfSegments([ofOne], 3);
  expect(inOne).toMatchObject([
    { id: 0n, score: 9 },
    { id: 2n, score: 9 },
    { id: 1n, score: 7 },
  ]);
  // Even ids in the first segment, odd ones in the second.
  const split = [0n, 1n].map((rest) => ofOne.map((list) => list.filter(({ id }) => id % 2n === rest)));
  expect(namesOf(bestOfSegments(split, 3))).toEqual(["0 0", "0 2", "1 1"]);
  expect(namesOf(bestOfSegments([...split, [[], []]], 3))).toEqual(["0 0", "0 2", "1 1"]);
});

test("the best of a small segment, in which no term is rare, are among the best of all", () => {
  const large = listOf(
    0,
    Array.from({ length: 100 }, (_, at) => 20 - at / 100),
  );
  const small = listOf(0, [6, 5]);
  const found = bestOfSegments([[large], [small]], 100);
  expect(found).toHaveLength(100);
  expect(namesOf(found).slice(-3)).toEqual(["0 97", "1 0", "1 1"]);
});

test("names are searched only for the terms that one may have", () => {
  class MatchQuery {
    readonly asked: readonly [terms: string, column: string];
    constructor(terms: string, column: string) {
      this.asked = [terms, column];
    }
  }
  const lance = { MatchQuery } as unknown as Lance;
  const terms = ["apple", "pear"].map((term) => ({ term, weight: 1 }));
  const asked = (mayBeInName?: (term: string) => boolean) =>
    textQueries(lance, terms, { titleWeight: 2, headingWeight: 0 }, mayBeInName).map((query) =>
      "asked" in query ? query.asked : null,
    );
  const ofTexts = ["apple pear", "terms"];
  expect(asked()).toEqual([ofTexts, ["apple pear", "titleTerms"]]);
  expect(asked((term) => term === "pear")).toEqual([ofTexts, ["pear", "titleTerms"]]);
  expect(asked(() => false)).toEqual([ofTexts]);
});
