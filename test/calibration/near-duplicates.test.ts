import { expect, test } from "bun:test";
import { groupNearDuplicates } from "../../src/calibration/near-duplicates.ts";

/** Sentences whose words tell them apart. */
const textOf = (seed: number): string =>
  Array.from({ length: 120 }, (_, at) => `w${(seed * 7919 + at * 104_729) % 99_991}`).join(" ");

test("copies, versions and excerpts are one group, over several steps; others are not", async () => {
  const version = `${textOf(1)} and this was added`;
  const excerpt = textOf(1).split(" ").slice(20, 100).join(" ");
  const groups = await groupNearDuplicates([textOf(1), textOf(2), version, excerpt, textOf(3)]);
  expect(groups[2]).toBe(groups[0] ?? -1);
  expect(groups[3]).toBe(groups[0] ?? -1);
  expect(new Set(groups).size).toBe(3);
});

test("a form's words that all documents share do not make them one", async () => {
  const form = textOf(99).split(" ").slice(0, 12).join(" ");
  const texts = Array.from({ length: 40 }, (_, index) => `${form} ${textOf(index)}`);
  expect(new Set(await groupNearDuplicates(texts)).size).toBe(40);
  expect(await groupNearDuplicates([])).toEqual([]);
});
