import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ApiError } from "../../../src/domain/errors.ts";
import { parseJson } from "../../../src/http/body/parse-body.ts";

const failureOf = (text: string): ApiError => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("parseJson", () => {
  test("reads whatever JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        expect(parseJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("either reads or refuses as malformed, never anything else, and repeats nothing of the text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("{", "}", "[", "]", '"', "\\", ",", ":", "1", "secret"), { maxLength: 30 }),
        (parts) => {
          try {
            parseJson(parts.join(""));
          } catch (error) {
            expect((error as ApiError).code).toBe("malformed_body");
            expect((error as ApiError).message).not.toContain("secret");
          }
        },
      ),
    );
  });

  test("refuses depth and number before anything is built", () => {
    expect(failureOf("[".repeat(5_000_000)).message).toContain("nested deeper than 100");
    expect(failureOf(`[${"0,".repeat(200_000)}0]`).message).toContain("more than 200000");
    expect(parseJson(`${"[".repeat(100)}${"]".repeat(100)}`)).toBeArray();
  });

  test("brackets and commas in strings do not count", () => {
    const text = `{"text": "${'[{,\\"'.repeat(300_000)}"}`;
    expect(parseJson(text)).toEqual({ text: '[{,"'.repeat(300_000) });
  });

  test("of a key given twice the last counts", () => {
    expect(parseJson('{"a": 1, "a": 2}')).toEqual({ a: 2 });
  });
});
