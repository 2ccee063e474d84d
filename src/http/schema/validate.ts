import { Kind, OptionalKind, type Static, type TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { ApiError, type FieldFault } from "../../domain/errors.ts";
import { storedText } from "../../text/clean-text.ts";
import { checkObject, isJsonObject } from "../../text/json-object.ts";
import { alternatives, isObjectSchema } from "./fields.ts";
import { isTextSchema, textFault } from "./text-field.ts";

/** What is wrong with a field. The message never repeats the value sent. */
const describeFault = (error: ValueError): string => {
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

/** How many faults one answer names at most. */
const maxFaults = 20;

/**
 * Compiles an object schema once into a function that turns what a caller sent into what the handler is given:
 * unknown fields dropped, defaults filled in, an optional field sent as null left out (unless null is a value of it),
 * text fields cleaned, free-form objects measured.
 *
 * @returns the checked value @throws ApiError invalid_request naming every field at fault, never its value;
 * metadata_too_large
 */
export const createValidator = <T extends TSchema>(schema: T): ((value: unknown) => Static<T>) => {
  const check = TypeCompiler.Compile(schema);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);

  return (value) => {
    if (!isJsonObject(value)) {
      throw invalid([{ path: "", message: "must be a JSON object" }]);
    }
    const fields = pick(properties, value);
    if (!check.Check(fields)) {
      const faults = new Map<string, FieldFault>();
      for (const outer of check.Errors(fields)) {
        const error = within(outer);
        const path = fieldPath(error.path);
        if (!faults.has(path)) faults.set(path, { path, message: describeFault(error) });
        if (faults.size === maxFaults) break;
      }
      throw invalid([...faults.values()]);
    }
    finish(properties, fields);
    return fields as Static<T>;
  };
};

/** The fault inside a value that has the type of one alternative alone, such as an item of a list that could be a text. */
const within = (error: ValueError): ValueError => {
  const inside = error.errors.flatMap((faults) => faults.First() ?? []);
  const [only, ...others] = inside.filter(({ path }) => path.length > error.path.length);
  return only === undefined || others.length > 0 ? error : within(only);
};

/** The known fields alone, as own properties: neither `__proto__` nor an unknown name gets through. */
const pick = (properties: [string, TSchema][], value: Record<string, unknown>): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const [name, schema] of properties) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const absent = given === undefined || (given === null && isNullAsAbsent(schema));
    if (!absent) fields[name] = given;
    else if (schema.default !== undefined) fields[name] = schema.default;
  }
  return fields;
};

const finish = (properties: [string, TSchema][], fields: Record<string, unknown>): void => {
  for (const [name, schema] of properties) {
    const value = fields[name];
    if (
      typeof value === "string" &&
      alternatives(schema).some((one) => isTextSchema(one) && one["x-unclean"] === "clean")
    ) {
      fields[name] = storedText(value);
    } else if (isJsonObject(value) && alternatives(schema).some(isObjectSchema)) {
      checkObject(name, value);
    }
  }
};

/** Whether null for this field means the same as leaving it out. */
export const isNullAsAbsent = (schema: TSchema): boolean => OptionalKind in schema && !acceptsNull(schema);

const acceptsNull = (schema: TSchema): boolean =>
  alternatives(schema).some((one) => one.type === "null" || one[Kind] === "Unknown" || one[Kind] === "Any");

/** JSON pointer -> `metadata.source`; bounded, since keys in it may be the caller's. */
const fieldPath = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".")
    .slice(0, 200);

const invalid = (errors: FieldFault[]): ApiError => {
  const detail = errors
    .map(({ path, message }) => (path === "" ? `The body ${message}` : `${path} ${message}`))
    .join("; ");
  return new ApiError("invalid_request", `${detail}.`, { errors });
};
