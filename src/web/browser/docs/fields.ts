import { nameOf, type Schema } from "./api.ts";

/** A field of a body or a record, as it is listed. */
export interface Field {
  /** Of a field inside another: `progress.pages`, `errors[].path`. */
  name: string;
  type: TypeWord[];
  description: string;
  isRequired: boolean;
  /** As JSON; null where there is none. */
  defaultValue: string | null;
}

/** Objects in objects, as far as they are listed: none of this server's is deeper. */
const maxDepth = 6;

/** A field that may be null carries its description on the member that is not. */
const descriptionOf = (schema: Schema): string =>
  schema.description ?? membersOf(schema).find(({ description }) => description !== undefined)?.description ?? "";

/**
 * The fields of an object; those of objects without a name inside it follow it under dotted names.
 * @param isSent a body: its optional fields may all be null, which is as if they were not sent
 */
export const fieldsOf = (schema: Schema, isSent: boolean, prefix = "", depth = 0): Field[] => {
  if (depth > maxDepth) return [];
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const isRequired = required.has(key);
    const field: Field = {
      name,
      type: typeWords(property, !isSent || isRequired),
      description: descriptionOf(property),
      isRequired: isSent && isRequired,
      defaultValue: property.default === undefined ? null : JSON.stringify(property.default),
    };
    const inner = innerOf(property);
    return [
      field,
      ...(inner === null ? [] : fieldsOf(inner.schema, isSent, `${name}${inner.isList ? "[]." : "."}`, depth + 1)),
    ];
  });
};

/** The object without a name that a field holds, or a list of it. */
const innerOf = (schema: Schema): { schema: Schema; isList: boolean } | null => {
  const [only, ...others] = membersOf(schema);
  if (only === undefined || others.length > 0 || nameOf(only) !== null) return null;
  if (only.type === "array" && only.items !== undefined) {
    const inner = innerOf(only.items);
    return inner && { ...inner, isList: true };
  }
  return only.properties === undefined ? null : { schema: only, isList: false };
};

/** A part of a type in words: text, or the name of a record that has its own place. */
export type TypeWord = string | { record: string };

const alternativesOf = ({ anyOf, oneOf, type, ...rest }: Schema): Schema[] => {
  const members = anyOf ?? oneOf;
  // A record whose variants are listed beside its fields is an object all the same.
  if (members !== undefined && rest.properties === undefined) return members;
  return Array.isArray(type) ? type.map((one) => ({ ...rest, type: one })) : [];
};

const isNull = ({ type }: Schema): boolean => type === "null";

/** Schemas of the value where there is one: without `null`. */
export const membersOf = (schema: Schema): Schema[] => {
  const members = alternativesOf(schema);
  return (members.length === 0 ? [schema] : members).filter((one) => !isNull(one));
};

/**
 * A type in words: `an integer from 1 to 100`, `a list of` Document, `a string or null`.
 * @param isNullSaid false where null means that nothing is sent
 */
export const typeWords = (schema: Schema, isNullSaid = true): TypeWord[] => {
  const members = alternativesOf(schema);
  if (members.length === 0) return wordsOf(schema);
  if (members.every((one) => one.const !== undefined))
    return [`one of ${members.map((one) => String(one.const)).join(", ")}`];
  const said = members.filter((one) => isNullSaid || !isNull(one));
  return [...new Map(said.map((one) => [JSON.stringify(typeWords(one)), typeWords(one)])).values()].flatMap(
    (words, at) => (at === 0 ? words : [" or ", ...words]),
  );
};

const wordsOf = (schema: Schema): TypeWord[] => {
  const record = nameOf(schema);
  if (record !== null) return [{ record }];
  if (schema.enum !== undefined) return [`one of ${schema.enum.map(String).join(", ")}`];
  if (schema.const !== undefined) return [String(schema.const)];
  switch (schema.type) {
    case "integer":
      return [`an integer${rangeOf(schema)}`];
    case "number":
      return [`a number${rangeOf(schema)}`];
    case "boolean":
      return ["true or false"];
    case "string":
      if (schema.format === "date-time") return ["a time"];
      return [schema.maxLength === undefined ? "a string" : `a string of at most ${schema.maxLength} characters`];
    case "array":
      return listWords(schema);
    case "object":
      return ["a JSON object"];
    case "null":
      return ["null"];
    default:
      return ["any JSON value"];
  }
};

const rangeOf = ({ minimum, maximum }: Schema): string => {
  const isBounded = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  if (minimum !== undefined && isBounded) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return isBounded ? ` of at most ${maximum}` : "";
};

/** Words for many of what `wordsOf` has one word for. */
const plurals: Record<string, string> = {
  "a string": "strings",
  "a number": "numbers",
  "an integer": "integers",
  "a JSON object": "JSON objects",
};

const listWords = ({ items, minItems, maxItems }: Schema): TypeWord[] => {
  const count =
    maxItems === undefined ? "" : minItems === undefined ? ` (at most ${maxItems})` : ` (${minItems} to ${maxItems})`;
  if (items === undefined) return [`a list${count}`];
  const words = typeWords(items).map((word) => (typeof word === "string" ? (plurals[word] ?? word) : word));
  return ["a list of ", ...words, ...(count === "" ? [] : [count])];
};
