import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ApiError } from "../../../src/domain/errors.ts";
import { maxFormFields, parseForm } from "../../../src/http/body/parse-body.ts";

describe("parseForm", () => {
  test("reads what URLSearchParams writes", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }))), (pairs) => {
        const wellFormed = pairs.map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()]);
        expect(parseForm(new URLSearchParams(wellFormed).toString())).toEqual(
          wellFormed.filter(([name, value]) => name !== "" || value !== "" || pairs.length > 0),
        );
      }),
    );
  });

  test("a percent sign that begins nothing stands for itself", () => {
    expect(parseForm("text=100% sure&b=%4")).toEqual([
      ["text", "100% sure"],
      ["b", "%4"],
    ]);
  });

  test("a name without `=` is an empty value; empty pieces are passed over", () => {
    expect(parseForm("a&&b=&=c")).toEqual([
      ["a", ""],
      ["b", ""],
      ["", "c"],
    ]);
  });

  test("bytes that are not UTF-8 are refused", () => {
    expect(() => parseForm("name=%ff%fe")).toThrow(ApiError);
  });

  test("no more than so many fields are read", () => {
    expect(parseForm("a=1&".repeat(maxFormFields))).toHaveLength(maxFormFields);
    expect(() => parseForm("a=1&".repeat(10_000))).toThrow("more than 1000 fields");
  });
});
