import { Kind, type Static, type TSchema, type TUnsafe, Type, TypeRegistry } from "@sinclair/typebox";
import { type JsonObject, maxQuestionCharacters, type Tenant } from "../../domain/records.ts";
import type { Paging } from "../../store/contract.ts";
import { isJsonObject } from "../../text/json-object.ts";
import { noNul, textField } from "./text-field.ts";

/** The members of a union, however nested; of any other schema the schema itself. */
export const alternatives = (schema: TSchema): TSchema[] =>
  Array.isArray(schema.anyOf) ? (schema.anyOf as TSchema[]).flatMap(alternatives) : [schema];

/** Marks the fields of a schema that name a scope (`scopeField` in fields.ts). A symbol: the API page does not show it. */
const scopeMark: unique symbol = Symbol("scope");

/** Whether a field of a body or query names a partition or document that narrows the operation. */
export const isScopeField = (schema: TSchema): boolean =>
  [schema, ...alternatives(schema)].some((one) => scopeMark in one);

/**
 * What a caller sent, with the scope fields as they apply to a key limited to a partition: `""` names nothing, as null does. The use
 * cases then take the key's own partition where none is named. Other keys and other fields stay as they are: there
 * `""` is an id that no record has.
 *
 * Every body, query and batch line passes through here before it is validated.
 */
export const ownScope = (schema: TSchema, tenant: Pick<Tenant, "partitionId"> | null, value: unknown): unknown => {
  if (tenant === null || tenant.partitionId === null || !isJsonObject(value)) return value;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  const emptied = properties.filter(([name, field]) => isScopeField(field) && value[name] === "");
  if (emptied.length === 0) return value;
  return { ...value, ...Object.fromEntries(emptied.map(([name]) => [name, null])) };
};

/**
 * Building blocks of the routes' schemas. Rules for length, blank text, NUL and lone surrogates are part of the field:
 * a handler need not check them.
 */

export { textField } from "./text-field.ts";

/** Name or title: 1–255 characters, not blank. */
export const nameField = (description: string, examples: string[] = []) =>
  textField({ maxLength: 255, blank: false, description, ...(examples.length > 0 ? { examples } : {}) });

/** Name of a partition: 1–255 characters, white space around it not counted. Its handler trims it. */
export const partitionNameField = (description: string, examples: string[] = []) =>
  textField({
    maxLength: 255,
    blank: false,
    trimmed: true,
    description,
    ...(examples.length > 0 ? { examples } : {}),
  });

/** Title: up to 255 characters, may be empty. */
export const titleField = (description: string) => textField({ maxLength: 255, description });

/** The caller's own name for its end user: any string up to 255 characters. */
export const userIdField = (description = "Your own name for the end user; no record needed.") =>
  textField({ maxLength: 255, description });

/** Question or message: not blank, at most 8,000 characters; NUL dropped, lone surrogates replaced. */
export const questionField = (description: string) =>
  textField({ maxLength: maxQuestionCharacters, blank: false, unclean: "clean", description });

/** Text of a document: not blank; NUL dropped, lone surrogates replaced. */
export const documentTextField = (description: string) => textField({ blank: false, unclean: "clean", description });

/** Id of a record in a body or query. The handler answers 404 for one of another form, and where there is no such record. */
export const idField = (description: string) => textField({ description });

/**
 * Id (or name) in a body or query that narrows an operation to a partition or document, or says which partition a
 * record goes into. `ownScope` (own-scope.ts) reads these for keys limited to a partition.
 */
export const scopeField = <T extends TSchema>(field: T): T => ({ ...field, [scopeMark]: true });

/** Absolute http or https address. The handler checks whether it can be fetched. */
export const addressField = (maxLength: number, description: string) =>
  textField({ maxLength, format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s]\\S*$", description });

/** Free-form JSON object of at most 64 KiB. */
export const metadataField = (description = "Free-form JSON object, at most 64 KiB.") => objectField({ description });

/** Substring that a name must hold, in any case. */
export const searchField = (description: string) => textField({ maxLength: 255, description });

/** `T` or null, as answers show absent values. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

TypeRegistry.Set<TSchema & { enum: unknown[] }>("CarrelChoice", (schema, value) => schema.enum.includes(value));

/** One of several words. */
export const choiceField = <const T extends readonly string[]>(
  values: T,
  options: { $id?: string; description?: string; default?: T[number] } = {},
): TUnsafe<T[number]> =>
  Type.Unsafe<T[number]>({ [Kind]: "CarrelChoice", type: "string", enum: [...values], ...options });

/** A time in an answer: ISO 8601, UTC, milliseconds. */
export const timeField = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-01-31T09:30:00.000Z"] });

/** `:id` in a path. */
export const idParams = Type.Object({ id: idField("Identifier of the record.") });

/** What a delete answers. */
export const deletedSchema = Type.Object(
  {
    id: Type.String({ description: "Identifier of what was deleted." }),
    deleted: Type.Literal(true, { description: "Always true." }),
  },
  { $id: "Deleted", description: "A record that was deleted." },
);

/** Query parameters of every list; spread them into the list's own query. */
export const pagingFields = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 10, description: "How many records to return, 1 to 100." }),
  ),
  skip: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: "How many records to skip.",
    }),
  ),
  sortOrder: Type.Optional(
    choiceField(["asc", "desc"], { default: "desc", description: "`desc`: newest (or last by name) first." }),
  ),
};

export const pagingQuery = Type.Object(pagingFields);

/** Paging as the store takes it, with the defaults filled in. */
export const toPaging = (query: Static<typeof pagingQuery>): Paging => ({
  limit: query.limit ?? 10,
  // The store counts rows in 32 bits; no list is longer.
  skip: Math.min(query.skip ?? 0, 2 ** 31 - 1),
  sortOrder: query.sortOrder ?? "desc",
});

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

/**
 * One of several server-sent events: its lines `event` and `data`.
 * @param id name in the OpenAPI document @param events name of each event -> what its data is, as JSON
 */
export const eventSchema = (id: string, events: Record<string, TSchema>): TUnsafe<unknown> => {
  const kinds = Object.entries(events).map(([name, data]) =>
    Type.Object({
      event: Type.Literal(name),
      data: Type.String({ contentMediaType: "application/json", contentSchema: data }),
    }),
  );
  return Type.Unsafe({ ...(kinds.length === 1 ? kinds[0] : Type.Union(kinds)), $id: id });
};
