import type { TSchema } from "@sinclair/typebox";
import { invalidField } from "../../domain/errors.ts";
import { alternatives } from "../schema/schema-alternatives.ts";
import { parseJson } from "./parse-json.ts";

/**
 * Converts fields that came as text (query string, forms) to the values that the schema requires: numbers, `true`/`false`, JSON text
 * for objects and lists. Text that cannot be converted stays text, for validation to report. A field whose schema takes a
 * string stays as it is: `text=true` is the word "true".
 *
 * @param entries name and text in the order sent @throws ApiError invalid_request for a field given more than once
 */
export const coerceText = (schema: TSchema, entries: Iterable<readonly [string, string]>): Record<string, unknown> => {
  const properties = (schema.properties ?? {}) as Record<string, TSchema>;
  const fields = new Map<string, unknown>();
  for (const [name, text] of entries) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) continue;
    if (fields.has(name)) throw invalidField(name, "is given more than once");
    fields.set(name, coerce(property, name, text));
  }
  return Object.fromEntries(fields);
};

const coerce = (schema: TSchema, name: string, text: string): unknown => {
  const members = alternatives(schema);
  const takesText = (one: TSchema) =>
    one.type === "string" || typeof one.const === "string" || one["x-or-text"] === true;
  if (members.some(takesText)) return text;
  for (const { type } of members) {
    if ((type === "integer" || type === "number") && isNumber(text)) return Number(text);
    if (type === "boolean" && booleans.has(text)) return booleans.get(text);
    if (type === "object" || type === "array") return readJson(name, text);
  }
  return members.some(({ type }) => type === "null") && text === "null" ? null : text;
};

/** `True` and `False` are what generated clients for Python send. */
const booleans = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
]);

const isNumber = (text: string): boolean => text.length <= 32 && /^-?\d+(\.\d+)?$/.test(text);

const readJson = (name: string, text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    throw invalidField(name, "must be JSON text");
  }
};
