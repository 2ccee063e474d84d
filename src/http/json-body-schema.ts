import type { TSchema } from "@sinclair/typebox";
import { isNullAsAbsent } from "./validate.ts";

type Json = Record<string, unknown>;

/** What only our own validation reads (src/http/text-field.ts). */
const ownRules = new Set(["x-blank", "x-trimmed", "x-unclean"]);

/** A schema as JSON, without what only our own validation reads. */
export const shown = (schema: TSchema): Json =>
  JSON.parse(JSON.stringify(schema, (name, value) => (ownRules.has(name) ? undefined : value)));

/** A body as JSON takes it: optional fields may also be null, which is as good as not sent. Forms have no null. */
export function jsonBodySchema(body: TSchema): Json {
  const declared = (body.properties ?? {}) as Record<string, TSchema>;
  const properties = Object.entries(declared).map(([name, property]) => [
    name,
    isNullAsAbsent(property) ? orNull(shown(property)) : shown(property),
  ]);
  return { ...shown(body), properties: Object.fromEntries(properties) };
}

function orNull(schema: Json): Json {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  const choices = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, ...choices, type: [schema.type, "null"] };
}
