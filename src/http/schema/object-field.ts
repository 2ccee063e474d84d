import { Kind, type TSchema, type TUnsafe, Type, TypeRegistry } from "@sinclair/typebox";
import { ApiError, invalidField } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/records.ts";
import { isUnclean } from "../../text/clean-text.ts";
import { noNul } from "./text-field.ts";

/** Maximum size of a free-form object, as UTF-8 JSON. */
const maxObjectBytes = 64 * 1024;
/** Maximum nesting of objects and arrays. */
const maxObjectDepth = 32;

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

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Refuses a free-form object that cannot be stored unchanged.
 * @throws ApiError metadata_too_large; invalid_request for NUL, lone surrogates, too many levels and numbers like 1e400
 */
export const checkObject = (path: string, value: JsonObject): void => {
  if (Buffer.byteLength(JSON.stringify(value)) > maxObjectBytes) {
    throw new ApiError(
      "metadata_too_large",
      `${path} takes more than ${maxObjectBytes / 1024} KiB as JSON: shorten it.`,
      {
        errors: [{ path, message: `must be at most ${maxObjectBytes} bytes of JSON` }],
      },
    );
  }
  checkValues(path, value, 1);
};

const checkValues = (path: string, value: unknown, depth: number): void => {
  if (typeof value === "string") {
    if (isUnclean(value)) throw invalidField(path, "must not contain NUL or lone surrogates");
    return;
  }
  // JSON.parse turns it into Infinity, JSON.stringify then into null.
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalidField(path, "must not contain numbers beyond the range of a double");
  }
  if (typeof value !== "object" || value === null) return;
  if (depth > maxObjectDepth) throw invalidField(path, `must not be nested deeper than ${maxObjectDepth} levels`);
  for (const [key, inner] of Object.entries(value)) {
    if (isUnclean(key)) throw invalidField(path, "must not contain NUL or lone surrogates in a key");
    checkValues(path, inner, depth + 1);
  }
};
