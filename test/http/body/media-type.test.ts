import { expect, test } from "bun:test";
import fc from "fast-check";
import { isJsonType, parseMediaType } from "../../../src/http/body/parse-body.ts";

const isJson = (header: string): boolean => {
  const type = parseMediaType(header);
  return type !== null && isJsonType(type);
};

test("types and their parameters", () => {
  expect(parseMediaType(null)).toBeNull();
  expect(parseMediaType("  ")).toBeNull();
  expect(parseMediaType('Application/JSON ; Charset="UTF-8"; x=1')).toMatchObject({
    type: "application/json",
    parameters: { charset: "UTF-8", x: "1" },
  });
});

test("JSON by any of its names", () => {
  for (const type of [
    "application/json",
    "application/problem+json; charset=utf-8",
    "application/vnd.api+json",
    "text/json",
  ]) {
    expect(isJson(type)).toBe(true);
  }
  for (const type of ["application/jsonx", "text/plain", "application/json5", "json", "+json"])
    expect(isJson(type)).toBe(false);
});

test("any header is read in no time", () => {
  fc.assert(fc.property(fc.string(), (header) => void parseMediaType(header)));
  expect(parseMediaType(`a/b${";".repeat(100_000)}`)?.type).toBe("a/b");
});
