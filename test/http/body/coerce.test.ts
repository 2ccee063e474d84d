import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { coerceText } from "../../../src/http/body/parse-body.ts";
import { metadataField, nullable, pagingQuery, textField } from "../../../src/http/schema/fields.ts";

const schema = Type.Object({
  text: Type.Optional(textField()),
  count: Type.Optional(Type.Integer()),
  ratio: Type.Optional(Type.Number()),
  public: Type.Optional(Type.Boolean()),
  either: Type.Optional(Type.Union([Type.Integer(), textField()])),
  metadata: Type.Optional(nullable(metadataField())),
  list: Type.Optional(Type.Array(Type.String())),
});

const coerced = (entries: Record<string, string>) => coerceText(schema, Object.entries(entries));

describe("coerceText", () => {
  test("goes by the schema: words stay words, numbers and booleans and JSON become what they are", () => {
    expect(
      coerced({
        text: "true",
        count: "5",
        ratio: "0.5",
        public: "false",
        either: "5",
        metadata: '{"a": 1}',
        list: '["a"]',
      }),
    ).toEqual({ text: "true", count: 5, ratio: 0.5, public: false, either: "5", metadata: { a: 1 }, list: ["a"] });
    expect(coerced({ metadata: "null" })).toEqual({ metadata: null });
    for (const [text, value] of Object.entries({ true: true, True: true, False: false }))
      expect(coerced({ public: text })).toEqual({ public: value });
  });

  test("what is no number or boolean stays text for validation to name", () => {
    for (const text of ["", " 5", "5 ", "0x10", "1e3", "NaN", "Infinity", "--1", "1".repeat(40)]) {
      expect(coerced({ count: text })).toEqual({ count: text });
    }
    expect(coerced({ public: "TRUE" })).toEqual({ public: "TRUE" });
  });

  test("text that should be JSON and is not names its field", () => {
    expect(() => coerced({ metadata: "{secret" })).toThrow("metadata: must be JSON text");
  });

  test("a field given twice is refused, unknown ones are passed over", () => {
    expect(() =>
      coerceText(schema, [
        ["text", "a"],
        ["text", "b"],
      ]),
    ).toThrow("text: is given more than once");
    expect(
      coerceText(schema, [
        ["other", "a"],
        ["other", "b"],
        ["__proto__", "x"],
        ["constructor", "x"],
      ]),
    ).toEqual({});
  });

  test("no text makes it fail otherwise or touch a prototype", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("limit", "skip", "sortOrder", "__proto__"), fc.string()), (entries) => {
        const fields = coerceText(pagingQuery, Object.entries(entries));
        expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
        for (const value of Object.values(fields)) expect(["string", "number"]).toContain(typeof value);
      }),
    );
  });
});
