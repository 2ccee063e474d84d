import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import fc from "fast-check";
import { ApiError } from "../../../src/domain/errors.ts";
import {
  choiceField,
  documentTextField,
  idField,
  metadataField,
  nameField,
  nullable,
  questionField,
} from "../../../src/http/schema/fields.ts";
import { createValidator } from "../../../src/http/schema/validate.ts";

const failureOf = (schema: TSchema, value: unknown): Pick<ApiError, "code" | "message" | "errors"> => {
  try {
    createValidator(schema)(value);
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message, errors: error.errors };
    throw error;
  }
  throw new Error("it was accepted");
};

const body = Type.Object({
  name: nameField("Name."),
  text: Type.Optional(documentTextField("Text.")),
  role: Type.Optional(choiceField(["reader", "writer"], { default: "reader" })),
  partitionId: Type.Optional(idField("Partition.")),
  title: Type.Optional(nullable(nameField("Title."))),
  metadata: Type.Optional(metadataField()),
  count: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 50 }), questionField("Number.")])),
  async: Type.Optional(Type.Boolean()),
});
const validate = createValidator(body);

describe("createValidator", () => {
  test("keeps known fields, fills defaults, drops the rest", () => {
    expect(validate({ name: "a", other: 1, constructor: 2 })).toEqual({ name: "a", role: "reader" });
  });

  test("null for an optional field is as good as leaving it out, unless null is one of its values", () => {
    expect(validate({ name: "a", text: null, partitionId: null, title: null, role: null })).toEqual({
      name: "a",
      role: "reader",
      title: null,
    });
  });

  test("names every field at fault, each once, and repeats no value", () => {
    expect(
      failureOf(body, {
        name: 5,
        text: " \n",
        role: "secret",
        metadata: ["secret"],
        count: 51,
        async: "secret",
        title: 1,
      }),
    ).toMatchInlineSnapshot(`
      {
        "code": "invalid_request",
        "errors": [
          {
            "message": "must be a string of at most 255 characters",
            "path": "name",
          },
          {
            "message": "must not be empty",
            "path": "text",
          },
          {
            "message": "must be one of reader, writer",
            "path": "role",
          },
          {
            "message": "must be a string of at most 255 characters or null",
            "path": "title",
          },
          {
            "message": "must be a JSON object",
            "path": "metadata",
          },
          {
            "message": "must be an integer from 1 to 50 or a string of at most 8000 characters",
            "path": "count",
          },
          {
            "message": "must be true or false",
            "path": "async",
          },
        ],
        "message": "name must be a string of at most 255 characters; text must not be empty; role must be one of reader, writer; title must be a string of at most 255 characters or null; metadata must be a JSON object; count must be an integer from 1 to 50 or a string of at most 8000 characters; async must be true or false.",
      }
    `);
  });

  test("says what is missing and what is no object at all", () => {
    expect(failureOf(body, {}).errors).toEqual([{ path: "name", message: "is required" }]);
    for (const value of [[], "text", 5, null, true]) {
      expect(failureOf(body, value).errors).toEqual([{ path: "", message: "must be a JSON object" }]);
    }
  });

  test("takes odd objects as they are, refuses what cannot be kept", () => {
    const odd = JSON.parse('{"__proto__": {"x": 1}, "": [], "a.b": {"$in": [null]}, "日本": true}');
    const kept = validate({ name: "a", metadata: odd }).metadata ?? {};
    expect(JSON.stringify(kept)).toBe(JSON.stringify(odd));
    for (const metadata of [{ a: "\u0000" }, { "\ud800": 1 }, { a: [{ b: "\udc00" }] }, JSON.parse('{"a": [1e400]}')]) {
      expect(failureOf(body, { name: "a", metadata })).toMatchObject({
        code: "invalid_request",
        errors: [{ path: "metadata" }],
      });
    }
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`);
    expect(failureOf(body, { name: "a", metadata: deep }).message).toContain("nested deeper than 32");
  });

  test("any JSON either passes or is a fault that repeats none of it", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(body.properties)), fc.jsonValue()), (fields) => {
        const marked = JSON.parse(JSON.stringify(fields), (_, value) =>
          typeof value === "string" ? `MARK${value}` : value,
        );
        try {
          validate(marked);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect((error as ApiError).message).not.toContain("MARK");
        }
      }),
    );
  });
});
