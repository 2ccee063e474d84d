import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { alternatives } from "./schema-alternatives.ts";
import { isTextSchema, textFault } from "./text-field.ts";

/** What is wrong with a field. The message never repeats the value sent. */
export const describeFault = (error: ValueError): string => {
  const { schema, type, value } = error;
  if (type === ValueErrorType.ObjectRequiredProperty || value === undefined) return "is required";
  if (typeof value === "string") {
    for (const one of alternatives(schema)) {
      if (isTextSchema(one)) return textFault(one, value) ?? `must be ${describeType(schema)}`;
    }
  }
  return `must be ${describeType(schema)}`;
};

/** A schema in words: `an integer from 1 to 100`, `a string or null`, `one of asc, desc`. */
export const describeType = (schema: TSchema): string => {
  const members = alternatives(schema);
  if (members.length > 1) {
    const literals = members.filter((one) => one.const !== undefined);
    if (literals.length === members.length) return `one of ${literals.map((one) => String(one.const)).join(", ")}`;
    return [...new Set(members.map(describeType))].join(" or ");
  }
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(", ")}`;
  if (schema.const !== undefined) return String(schema.const);
  switch (schema.type) {
    case "integer":
      return `an integer${rangeOf(schema)}`;
    case "number":
      return `a number${rangeOf(schema)}`;
    case "boolean":
      return "true or false";
    case "string":
      return `a string${lengthOf(schema)}`;
    case "array":
      return `a list${itemsOf(schema)}`;
    case "object":
      return schema["x-or-text"] === true ? "a JSON object or a string" : "a JSON object";
    case "null":
      return "null";
    default:
      return "of another type";
  }
};

const rangeOf = ({ minimum, maximum }: TSchema): string => {
  const bounded = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  if (minimum !== undefined && bounded) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return bounded ? ` of at most ${maximum}` : "";
};

const lengthOf = ({ maxLength }: TSchema): string =>
  maxLength === undefined ? "" : ` of at most ${maxLength} characters`;

const itemsOf = ({ minItems, maxItems }: TSchema): string => {
  if (minItems !== undefined && maxItems !== undefined) return ` of ${minItems} to ${maxItems} items`;
  return maxItems !== undefined ? ` of at most ${maxItems} items` : "";
};
