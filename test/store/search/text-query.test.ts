import { expect, test } from "bun:test";
import { bestOfSegments, type Scored } from "../../../src/store/search/text-query.ts";

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
