import { expect, test } from "bun:test";
import { monthIn } from "../../src/text/dates.ts";

test.each([
  ["what changed in 2025-05", { month: 5, year: 2025 }],
  ["was gab es im März 2026", { month: 3, year: 2026 }],
  ["what is on in may", { month: 5, year: null }],
  ["qué hay en noviembre", { month: 11, year: null }],
  ["what may I bring", null],
  ["what happened on 3 November 2025", null],
  ["order 2025-05-17", null],
])("the month that a text names: %s", (text, month) => {
  expect(monthIn(text)).toEqual(month);
});
