import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ApiError } from "../../src/domain/errors.ts";
import { parseMetadataFilter } from "../../src/retrieval/metadata-filter.ts";

const fault = (value: unknown) => {
  try {
    parseMetadataFilter(value);
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, status: error.status, errors: error.errors };
    throw error;
  }
  return null;
};
const paths = (value: unknown) => fault(value)?.errors?.map(({ path }) => path);

describe("parseMetadataFilter", () => {
  test.each([
    [undefined, null],
    [null, null],
    [{}, null],
    ["{}", null],
    ["null", null],
    [{ source: "handbook" }, { source: "handbook" }],
    [
      '{"source": "handbook", "year": {"$gte": 2020, "$lt": 2024}}',
      { source: "handbook", year: { $gte: 2020, $lt: 2024 } },
    ],
    [
      { a: 1, b: true, c: null },
      { a: 1, b: true, c: null },
    ],
    [
      { a: { $in: ["x", 1, null, false] }, b: { $ne: "y" }, c: { $in: [] } },
      { a: { $in: ["x", 1, null, false] }, b: { $ne: "y" }, c: { $in: [] } },
    ],
  ])("%j is %j", (value, expected) => {
    expect(parseMetadataFilter(value)).toEqual(expected as never);
  });

  test.each([
    ["text that is no JSON", "{source: handbook}", ["metadata"]],
    ["a list", [1], ["metadata"]],
    ["a number", 5, ["metadata"]],
    ["JSON text of a list", "[1]", ["metadata"]],
    ["an unknown operator", { year: { $regex: "x" } }, ["metadata.year.$regex"]],
    ["a nested key", { author: { name: "x" } }, ["metadata.author.name"]],
    ["an operator at the top", { $or: [] }, ["metadata.$or"]],
    ["no operator", { year: {} }, ["metadata.year"]],
    ["a list as value", { year: [1] }, ["metadata.year"]],
    ["$in without a list", { year: { $in: 5 } }, ["metadata.year.$in"]],
    ["$in of objects", { year: { $in: [{}] } }, ["metadata.year.$in"]],
    ["$gt of a boolean", { year: { $gt: true } }, ["metadata.year.$gt"]],
    ["$lte of null", { year: { $lte: null } }, ["metadata.year.$lte"]],
    ["$ne of a list", { year: { $ne: [1] } }, ["metadata.year.$ne"]],
    ["an infinite number", '{"year": 1e999}', ["metadata.year"]],
    ["an empty key", { "": 1 }, ["metadata."]],
    ["NUL in a value", { a: "x\0" }, ["metadata.a"]],
    ["a lone surrogate in a value", { a: "\ud800" }, ["metadata.a"]],
    ["several faults", { a: [], b: { $x: 1 } }, ["metadata.a", "metadata.b.$x"]],
    ["too many keys", Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`k${n}`, n])), ["metadata"]],
  ])("%s is a 400 that names it", (_name, value, expected) => {
    expect(fault(value)).toMatchObject({ code: "invalid_request", status: 400 });
    expect(paths(value)).toEqual(expected);
  });

  test("too long a text is a 413", () => {
    expect(fault(`{"a": "${"x".repeat(70_000)}"}`)).toMatchObject({ code: "metadata_too_large", status: 413 });
  });

  test("takes __proto__ for an ordinary key", () => {
    const filter = parseMetadataFilter('{"__proto__": "x"}');
    expect(Object.entries(filter ?? {})).toEqual([["__proto__", "x"]]);
  });

  test("answers any JSON with a filter or a 4xx", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, asText) => {
        const outcome = fault(asText ? JSON.stringify(value) : value);
        expect([undefined, 400, 413]).toContain(outcome?.status);
      }),
    );
  });
});
