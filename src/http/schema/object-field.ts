import { Kind, type TSchema, type TUnsafe, Type, TypeRegistry } from "@sinclair/typebox";
import type { JsonObject } from "../../domain/records.ts";
import { isJsonObject } from "../../text/json-object.ts";
import { noNul } from "./text-field.ts";

const kind = "CarrelObject";

TypeRegistry.Set(
  kind,
  (schema: TSchema, value) => isJsonObject(value) || (schema["x-or-text"] === true && typeof value === "string"),
);

/** Any JSON without NUL in its texts and keys, as the document of the API shows it. */
const jsonValueSchema = {
  $id: "JsonValue",
  description: "Any JSON value; no text or key in it holds NUL.",
  anyOf: [
    { type: "string", pattern: noNul },
    { type: ["number", "boolean", "null"] },
    { type: "array", items: { $ref: "#/components/schemas/JsonValue" } },
    {
      type: "object",
      propertyNames: { pattern: noNul },
      additionalProperties: { $ref: "#/components/schemas/JsonValue" },
    },
  ],
};

/** A free-form JSON object (`metadata`, `brandSettings`): any keys and values, at most 64 KiB and 32 levels. */
export const objectField = (options: { description?: string; examples?: JsonObject[] } = {}): TUnsafe<JsonObject> =>
  Type.Unsafe<JsonObject>({
    [Kind]: kind,
    type: "object",
    propertyNames: { pattern: noNul },
    additionalProperties: jsonValueSchema,
    ...options,
  });

/**
 * An object that is also taken as its JSON text, which the handler parses. The document of the API shows the object;
 * its further JSON Schema keywords are the handler's to check.
 */
export const objectOrTextField = (schema: Omit<TSchema, symbol>): TUnsafe<JsonObject | string> =>
  Type.Unsafe<JsonObject | string>({ [Kind]: kind, type: "object", "x-or-text": true, ...schema });

export const isObjectSchema = (schema: TSchema): boolean => schema[Kind] === kind;
