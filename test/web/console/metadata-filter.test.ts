import { expect, test } from "bun:test";
import {
  conditionsOf,
  filterOf,
  type MetadataCondition,
  readFilter,
  typedValue,
} from "../../../src/web/browser/console/components/metadata-filter.ts";

test.each([
  ["2026", 2026],
  ["-1.5", -1.5],
  ["true", true],
  ["null", null],
  ['"2026"', "2026"],
  ["007", "007"],
  [" handbook ", "handbook"],
  ["{}", "{}"],
])("%s means %p", (text, value) => {
  expect(typedValue(text)).toBe(value);
});

test("conditions become the API's filter and are read from it", () => {
  const conditions: MetadataCondition[] = [
    { key: "source", operator: "is", value: "handbook" },
    { key: "year", operator: "atLeast", value: 2020 },
    { key: "year", operator: "below", value: 2024 },
    { key: "draft", operator: "isNot", value: true },
    { key: "pages", operator: "above", value: 3 },
    { key: "pages", operator: "atMost", value: 9 },
    // An ordinary key.
    { key: "__proto__", operator: "is", value: 1 },
  ];
  const text = JSON.stringify(filterOf(conditions));
  expect(text).toBe(
    '{"source":"handbook","year":{"$gte":2020,"$lt":2024},"draft":{"$ne":true},"pages":{"$gt":3,"$lte":9},"__proto__":1}',
  );
  expect(conditionsOf(readFilter(text))).toEqual(conditions);
});

test("what is no filter, or holds what no condition says, has none", () => {
  for (const text of ["", "{", "[]", "3", "null", '{"a":{"$in":[1]}}'])
    expect(conditionsOf(readFilter(text))).toEqual([]);
});
