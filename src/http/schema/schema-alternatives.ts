import type { TSchema } from "@sinclair/typebox";

/** The members of a union, however nested; of any other schema the schema itself. */
export const alternatives = (schema: TSchema): TSchema[] =>
  Array.isArray(schema.anyOf) ? (schema.anyOf as TSchema[]).flatMap(alternatives) : [schema];
