import type { TSchema } from "@sinclair/typebox";
import type { Endpoint } from "../endpoint.ts";
import { alternatives } from "../schema/fields.ts";
import { isNullAsAbsent } from "../schema/validate.ts";

export type Json = Record<string, unknown>;

/** Keywords of our own validation, written below as JSON Schema. */
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

/** The request body of an operation in its three encodings, or as it is read where it comes raw. */
export const bodyOf = ({ body, rawBody, acceptsFile = false, example }: Endpoint): Json => {
  const sample = example?.request === undefined ? {} : { example: example.request };
  if (rawBody !== undefined) {
    const text = { type: "string", description: rawBody.description };
    const content = {
      [rawBody.mediaType]: { schema: shown(rawBody.schema), ...sample },
      "text/plain": { schema: text, ...sample },
    };
    return { requestBody: { required: false, description: rawBody.description, content } };
  }
  if (body === undefined) return {};
  const { json, form, multipart } = encodingsOf(body, acceptsFile);
  return {
    requestBody: {
      required: (body.required ?? names(body, "x-one-of")).length > 0,
      content: {
        "application/json": { schema: json.ref, ...sample },
        "application/x-www-form-urlencoded": { schema: form.ref, ...jsonParts(body), ...sample },
        "multipart/form-data": { schema: multipart.ref, ...jsonParts(body), ...sample },
      },
    },
  };
};

/** The schemas of request bodies that have a name: as JSON, as a form and as multipart. */
export const namedBodies = (endpoints: readonly Endpoint[]): Record<string, Json> =>
  Object.fromEntries(
    endpoints.flatMap(({ body, acceptsFile = false }) =>
      body?.$id === undefined
        ? []
        : Object.values(encodingsOf(body, acceptsFile)).map(({ name, schema }) => [name, schema]),
    ),
  );

/** In forms, objects and lists are JSON text. */
const jsonParts = (body: TSchema): Json => {
  const parts = Object.entries(fieldsOf(body))
    .filter(([, property]) =>
      [property, ...((property.anyOf ?? []) as TSchema[])].some(({ type }) => type === "object"),
    )
    .map(([name]) => [name, { contentType: "application/json" }]);
  return parts.length === 0 ? {} : { encoding: Object.fromEntries(parts) };
};

const partName = "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$";
const fileField = { type: "string", format: "binary", description: "The file to ingest." };

interface Encoding {
  name: string;
  schema: Json;
  /** The schema where it is used: a reference to its name, if the body has one. */
  ref: Json;
}

/** A body's schema in each of its three encodings. */
const encodingsOf = (body: TSchema, acceptsFile: boolean): Record<"json" | "form" | "multipart", Encoding> => {
  const id = body.$id;
  const encoding = (suffix: string, schema: Json): Encoding => {
    const name = `${id}${suffix}`;
    return { name, schema, ref: id === undefined ? schema : refTo(name) };
  };
  return {
    json: encoding("", jsonSchema(body)),
    form: encoding("Form", formSchema(body, "urlencoded")),
    multipart: encoding("Multipart", formSchema(body, acceptsFile ? "file" : "multipart")),
  };
};

/** In JSON, optional fields may also be null, which means the same as leaving them out. */
const jsonSchema = (body: TSchema): Json => {
  const properties = Object.entries(fieldsOf(body)).map(([name, property]) => [
    name,
    isNullAsAbsent(property) ? orNull(property) : shown(property),
  ]);
  const { dependentRequired = {}, ...rest } = written(body) as { dependentRequired?: Record<string, string[]> };
  const sources = names(body, "x-one-of");
  const given = (fields: string[]) => Object.fromEntries(fields.map((name) => [name, { type: "string" }]));
  const oneOf = sources.map((source) => {
    const required = [source, ...(dependentRequired[source] ?? [])];
    const others = sources.filter((other) => other !== source).map((other) => [other, { type: "null" }]);
    return { title: source, required, properties: { ...given(required), ...Object.fromEntries(others) } };
  });
  const rivals = names(body, "x-not-both");
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...(sources.length === 0 ? {} : { oneOf }),
    ...(rivals.length === 0 ? {} : { not: { required: rivals, properties: given(rivals) } }),
  };
};

/** A form has no null. A URL-encoded one has objects as JSON text, which no schema can describe further. */
const formSchema = (body: TSchema, kind: "urlencoded" | "multipart" | "file"): Json => {
  const properties = Object.fromEntries(
    Object.entries(fieldsOf(body)).map(([name, property]) => [
      name,
      kind === "urlencoded" && isObject(property) ? jsonText(property) : fieldOf(property, kind),
    ]),
  );
  const sources = [...names(body, "x-one-of"), ...(kind === "file" ? ["file"] : [])];
  const rivals = names(body, "x-not-both");
  return {
    ...written(body),
    properties: kind === "file" ? { ...properties, file: fileField } : properties,
    ...(sources.length < 2 ? {} : { oneOf: sources.map((source) => onlySource(source, sources)) }),
    ...(rivals.length === 0 ? {} : { dependentSchemas: notBoth(rivals) }),
    // The name of a field, known or not, is part of a header, where line breaks are escaped.
    ...(kind === "urlencoded" ? {} : { propertyNames: { pattern: partName } }),
  };
};

/** Beside a file, fields have no examples: those of all fields together would name several sources. */
const fieldOf = (property: TSchema, kind: string): Json => {
  const { examples, ...rest } = shown(property);
  return kind === "file" ? rest : { ...rest, ...(examples === undefined ? {} : { examples }) };
};

const jsonText = ({ description = "" }: TSchema): Json => ({
  type: "object",
  description: `${description} As JSON text.`.trim(),
});

/** This source and no other. */
const onlySource = (source: string, sources: readonly string[]): Json => ({
  title: source,
  required: [source],
  properties: Object.fromEntries(sources.filter((other) => other !== source).map((other) => [other, false])),
});

/** Neither of two fields where the other one is. */
const notBoth = ([one = "", other = ""]: readonly string[]): Json => ({
  [one]: { properties: { [other]: false } },
});

const orNull = (property: TSchema): Json => {
  const schema = shown(property);
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: "null" }] };
  const choices = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, ...choices, type: [schema.type, "null"] };
};

const isObject = (property: TSchema): boolean => alternatives(property).some(({ type }) => type === "object");

const fieldsOf = (body: TSchema): Record<string, TSchema> => (body.properties ?? {}) as Record<string, TSchema>;

const names = (body: TSchema, rule: "x-one-of" | "x-not-both"): string[] => (body[rule] ?? []) as string[];
