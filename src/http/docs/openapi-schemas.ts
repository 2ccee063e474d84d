import type { TSchema } from "@sinclair/typebox";

export type Json = Record<string, unknown>;

/** Keywords of our own validation; src/http/docs/openapi-bodies.ts writes them as JSON Schema. */
const ownRules = new Set(["$id", "x-blank", "x-trimmed", "x-unclean", "x-or-text", "x-one-of", "x-not-both"]);

export const refTo = (id: string): { $ref: string } => ({ $ref: `#/components/schemas/${id}` });

/** The schema as JSON where it is used: a schema with a name (`$id`) is referred to by it. */
export const shown = (schema: TSchema): Json => (schema.$id === undefined ? written(schema) : refTo(schema.$id));

/** The schema as JSON in full; those inside it that have a name are referred to. */
export const written = (schema: TSchema): Json =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (ownRules.has(key)) return undefined;
      return key !== "" && isNamed(value) ? refTo(value.$id) : value;
    }),
  );

/**
 * Every schema with a name among these and inside them, in full, by name.
 * @throws Error where two different schemas have one name
 */
export const namedSchemas = (schemas: readonly unknown[]): Record<string, Json> => {
  const found = new Map<string, Json>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (isNamed(value)) {
      const schema = written(value);
      const known = found.get(value.$id);
      if (known !== undefined) {
        if (JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are named ${value.$id}`);
        return;
      }
      found.set(value.$id, schema);
    }
    Object.values(value).forEach(visit);
  };
  schemas.forEach(visit);
  return Object.fromEntries(found);
};

const isNamed = (value: unknown): value is TSchema & { $id: string } =>
  typeof value === "object" && value !== null && "$id" in value && typeof value.$id === "string";

/** The answers' headers, under `components.headers`. */
export const sharedHeaders: Record<string, { description: string; schema: Json }> = {
  "X-Request-Id": { description: "Identifies this request in the server's log.", schema: { type: "string" } },
  "X-Carrel-Receipt": { description: "Id of the answer's receipt.", schema: { type: "string" } },
  "X-Total-Count": { description: "Number of all records, before paging.", schema: { type: "integer", minimum: 0 } },
  "WWW-Authenticate": { description: "How to authenticate: `Bearer`.", schema: { type: "string" } },
  "Retry-After": { description: "Seconds after which to try again, where known.", schema: { type: "integer" } },
  "X-Visitor-Token": {
    description: "Identifies a visitor without a key: send it with the next requests.",
    schema: { type: "string" },
  },
  "Preference-Applied": {
    description: "`respond-async`, where `Prefer` asked for it.",
    schema: { type: "string" },
  },
  "Content-Disposition": { description: "`attachment`, with the document's name.", schema: { type: "string" } },
};

/** The headers of an answer, each by its name. */
export const headerRefs = (...names: string[]): Json =>
  Object.fromEntries(["X-Request-Id", ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
