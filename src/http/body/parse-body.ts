import type { TSchema } from "@sinclair/typebox";
import { type ContentType, parse } from "content-type";
import { ApiError, invalidField } from "../../domain/errors.ts";
import { exceeds } from "../../text/json-object.ts";
import { alternatives } from "../schema/fields.ts";

/** A `Content-Type` header: type and parameter names in lower case. @returns null where the header is missing or blank */
export const parseMediaType = (header: string | null): ContentType | null =>
  header === null || header.trim() === "" ? null : parse(header);

/** `application/json` and the types that extend it (`application/problem+json`). */
export const isJsonType = ({ type }: Pick<ContentType, "type">): boolean =>
  type === "application/json" || type === "text/json" || /^[a-z0-9.-]+\/[a-z0-9.-]+\+json$/.test(type);

/** Maximum nesting of objects and arrays. */
const maxDepth = 100;
/** Maximum number of members and items in all. */
const maxValues = 200_000;

/**
 * The value of JSON text. The text is measured first, so that no body can exhaust the stack or the heap by its shape.
 * @throws ApiError malformed_body; its message never holds a piece of the text
 */
export const parseJson = (text: string): unknown => {
  const fault = exceeds(text, { values: maxValues, depth: maxDepth });
  if (fault === "depth") throw new ApiError("malformed_body", `The JSON is nested deeper than ${maxDepth} levels.`);
  if (fault === "values")
    throw new ApiError("malformed_body", `The JSON has more than ${maxValues} members and items.`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiError(
      "malformed_body",
      "The body is not valid JSON. Check quotes, commas and that nothing is cut off.",
      {
        cause: error,
      },
    );
  }
};

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

export const maxFormFields = 1_000;

const subjects = { malformed_body: "form", invalid_request: "query string" };

/**
 * Fields of an `application/x-www-form-urlencoded` body, or of a query string, in the order sent.
 * @throws ApiError `code` for too many fields and for `%` sequences that are not UTF-8
 */
export const parseForm = (
  text: string,
  code: "malformed_body" | "invalid_request" = "malformed_body",
): [string, string][] => {
  const entries: [string, string][] = [];
  let start = 0;
  while (start < text.length) {
    const next = text.indexOf("&", start);
    const end = next === -1 ? text.length : next;
    if (end > start) {
      if (entries.length === maxFormFields) {
        throw new ApiError(code, `The ${subjects[code]} has more than ${maxFormFields} fields.`);
      }
      const pair = text.slice(start, end);
      const equals = pair.indexOf("=");
      entries.push(
        equals === -1
          ? [decode(pair, code), ""]
          : [decode(pair.slice(0, equals), code), decode(pair.slice(equals + 1), code)],
      );
    }
    start = end + 1;
  }
  return entries;
};

/**
 * As browsers encode: `+` is a space, `%xx` a byte of UTF-8. A `%` that begins no sequence stands for itself, as plain
 * `curl -d` sends it.
 */
const decode = (part: string, code: keyof typeof subjects): string => {
  const text = part.replaceAll("+", " ");
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text.replace(/%(?![0-9A-Fa-f]{2})/g, "%25"));
  } catch (error) {
    throw new ApiError(code, `The ${subjects[code]} holds bytes that are not UTF-8.`, { cause: error });
  }
};
