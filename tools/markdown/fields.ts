import type { TSchema } from "@sinclair/typebox";
import { alternatives } from "../../src/http/schema/fields.ts";
import { describeType } from "../../src/http/schema/validate.ts";

/** One row of a table of fields. */
export interface Field {
  name: string;
  row: string;
}

/** A link to a heading of the same page. */
export const linkTo = (title: string): string =>
  `[${title}](#${title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(" ", "-")})`;

/** The fields of an object, those of objects inside it under dotted names; records are linked. */
export const fieldsOf = (schema: TSchema | undefined, prefix = ""): Field[] => {
  const required = new Set<string>((schema?.required ?? []) as string[]);
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const nested = nestedIn(property);
    const isOnlyParent = nested !== null && nested.schema === property && property.description === undefined;
    return [
      ...(isOnlyParent ? [] : [{ name, row: row(name, property, required.has(key)) }]),
      ...(nested === null ? [] : fieldsOf(nested.schema, `${name}${nested.isList ? "[]." : "."}`)),
    ];
  });
};

const row = (name: string, property: TSchema, isRequired: boolean): string => {
  const first = property.default === undefined ? "" : ` Default \`${JSON.stringify(property.default)}\`.`;
  const cells = [`\`${name}\`${isRequired ? " (required)" : ""}`, typeOf(property), descriptionOf(property) + first];
  return `| ${cells.map((text) => text.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
};

const isNull = ({ type }: TSchema): boolean => type === "null";

/** The only member of a union that is not null, or the schema itself. */
const single = (schema: TSchema): TSchema | null => {
  const members = schema.$id === undefined ? alternatives(schema).filter((one) => !isNull(one)) : [schema];
  return members.length === 1 ? (members[0] ?? null) : null;
};

/** A record has its own table: a named object. */
export const isRecord = (schema: TSchema): boolean => schema.$id !== undefined && schema.properties !== undefined;

/** An object without a name whose fields are listed in the same table. */
const nestedIn = (schema: TSchema): { schema: TSchema; isList: boolean } | null => {
  const one = single(schema);
  if (one === null || isRecord(one)) return null;
  if (one.type === "array") {
    const nested = nestedIn(one.items as TSchema);
    return nested && { ...nested, isList: true };
  }
  return Object.keys((one.properties ?? {}) as object).length > 0 ? { schema: one, isList: false } : null;
};

/** As `describeType`, with links to records. */
export const typeOf = (schema: TSchema): string => {
  const one = single(schema);
  if (one === null) return describeType(schema);
  const orNull = one === schema ? "" : " or null";
  if (isRecord(one)) return `${linkTo(one.$id ?? "")}${orNull}`;
  if (one.type !== "array") return describeType(schema);
  return `a list of ${pluralOf(one.items as TSchema)}${orNull}`;
};

const pluralOf = (schema: TSchema): string => {
  if (isRecord(schema)) return linkTo(schema.$id ?? "");
  return schema.type === "object" ? "JSON objects" : typeOf(schema).replace(/^an? (\w+)/, "$1s");
};

/** The records that a schema is made of, itself included; in the order of its fields. */
export const recordsIn = (schema: TSchema): TSchema[] => [
  ...(isRecord(schema) ? [schema] : []),
  ...[
    ...alternatives(schema).filter((one) => one !== schema),
    ...(schema.items === undefined ? [] : [schema.items as TSchema]),
    ...Object.values((schema.properties ?? {}) as Record<string, TSchema>),
  ].flatMap(recordsIn),
];

/** A field that may be null carries its description on the member that is not. */
const descriptionOf = (schema: TSchema): string =>
  schema.description ?? alternatives(schema).find(({ description }) => description !== undefined)?.description ?? "";

/**
 * Tables of fields in which a field is described once: what an earlier table of the same kind has too is left to it,
 * with a link.
 * @returns the lines of a table, under the heading `title`
 */
export const createFieldTables = () => {
  const earlier: { kind: string; title: string; fields: readonly Field[] }[] = [];

  return (kind: string, title: string, fields: readonly Field[]): string[] => {
    if (fields.length === 0) return [];
    const closest = mostShared(
      earlier.filter((one) => one.kind === kind).map((one) => ({ ...one, ...split(fields, one.fields) })),
    );
    earlier.push({ kind, title, fields });
    if (closest === null) return [...table(kind, fields), ""];
    const { shared, own, missing } = closest;
    const link = linkTo(closest.title);
    const without = missing.length === 0 ? "" : `, without ${listed(missing)}`;
    const isMost = missing.length <= shared.length / 2;
    const those = isMost ? `as for ${link}${without}` : `${listed(shared)} as for ${link}`;
    return own.length === 0 ? [`${kind}: ${those}.`, ""] : [`${kind}: ${those}, and:`, "", ...table(kind, own), ""];
  };
};

interface Split {
  shared: Field[];
  own: Field[];
  /** What the earlier table has besides. */
  missing: Field[];
}

const split = (fields: readonly Field[], earlier: readonly Field[]): Split => {
  const has = (list: readonly Field[], one: Field) => list.some(({ row }) => row === one.row);
  return {
    shared: fields.filter((one) => has(earlier, one)),
    own: fields.filter((one) => !has(earlier, one)),
    missing: earlier.filter((one) => !has(fields, one)),
  };
};

/** The earlier table that leaves the least to be written; null where none spares half of the rows, or only a few. */
const mostShared = <T extends Split>(candidates: readonly T[]): T | null => {
  const useful = candidates.filter(
    ({ shared, own }) => own.length === 0 || (shared.length >= 3 && own.length <= shared.length),
  );
  return useful.toSorted((a, b) => b.shared.length - a.shared.length || a.missing.length - b.missing.length)[0] ?? null;
};

const table = (kind: string, fields: readonly Field[]): string[] => [
  `| ${kind} | Type | Description |`,
  "|---|---|---|",
  ...fields.map(({ row }) => row),
];

/** `a`, `b` and `c`. */
export const listed = (fields: readonly Pick<Field, "name">[]): string => {
  const names = fields.map(({ name }) => `\`${name}\``);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
};
