import { Kind, type Static, type TSchema, type TUnsafe, Type, TypeRegistry } from "@sinclair/typebox";
import { maxQuestionCharacters } from "../../domain/records.ts";
import type { Paging } from "../../store/contract.ts";
import { objectField } from "./object-field.ts";
import { scopeMark } from "./own-scope.ts";
import { textField } from "./text-field.ts";

/**
 * Building blocks of the routes' schemas. Rules for length, blank text, NUL and lone surrogates are part of the field:
 * a handler need not check them.
 */

export { objectField, objectOrTextField } from "./object-field.ts";
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
