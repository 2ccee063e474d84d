import { nameOf, type Schema } from "./api.ts";
import { membersOf, type TypeWord, typeWords } from "./type-words.ts";

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
export const descriptionOf = (schema: Schema): string =>
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
