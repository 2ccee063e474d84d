import type { Json } from "./openapi-schemas.ts";

/**
 * The document that generators of clients take: `/openapi.json`. The whole one (`/openapi.full.json`) says more than they
 * understand: forms beside JSON, streams beside answers, rules between fields, aliases, each operation's own errors. Here each
 * operation has one body, one answer and shared errors, and no schema has a keyword that a generator makes no type of.
 * Measured with openapi-typescript 7, @hey-api/openapi-ts, openapi-generator 7 and openapi-python-client 0.29.
 */
export const leanDocument = (whole: Json): Json => {
  const { paths, components, ...about } = whole as {
    paths: Record<string, Record<string, Json>>;
    components: { schemas: Record<string, Json>; headers: Json; securitySchemes: Json };
  };
  const responses: Record<string, Json> = {};
  const leanPaths: Record<string, Record<string, Json>> = {};
  for (const [path, operations] of Object.entries(paths)) {
    const kept = Object.entries(operations).filter(([, operation]) => operation["x-alias-of"] === undefined);
    if (kept.length === 0) continue;
    leanPaths[path] = Object.fromEntries(kept.map(([method, one]) => [method, leanOperation(one, responses)]));
  }
  const files = filesOperation(paths, responses);
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, leanNamed(name, schema)]),
  );
  const document = {
    ...about,
    paths: { ...leanPaths, ...files },
    components: { ...components, responses, schemas },
  };
  return { ...document, components: { ...document.components, schemas: referredTo(document, schemas) } };
};

/** An alias of `/api/ingest`. */
const filesPath = "/api/ingest/file";

interface Response {
  $ref?: string;
  description: string;
  headers?: Json;
  content?: Record<string, { schema: Json }>;
}

const leanOperation = (operation: Json, responses: Record<string, Json>): Json => {
  const {
    requestBody,
    responses: answers,
    parameters,
    ...rest
  } = operation as {
    requestBody?: { required: boolean; description?: string; content: Record<string, { schema: Json }> };
    responses: Record<string, Response>;
    parameters?: { name: string; schema?: Json; content?: Json }[];
  };
  return {
    ...rest,
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.filter(({ name }) => name !== "X-Request-Id").map(leanParameter) }),
    ...(requestBody === undefined ? {} : { requestBody: { ...requestBody, content: oneOf(requestBody.content) } }),
    responses: Object.fromEntries(
      Object.entries(answers)
        .filter(([, { content }]) => content !== undefined)
        .map(([status, answer]) => [status, leanAnswer(status, answer, responses)]),
    ),
  };
};

/** JSON in a query string is text: generators write a parameter with `content` in ways of their own, or leave it out. */
const leanParameter = ({ schema, content, ...parameter }: { schema?: Json; content?: Json }): Json => ({
  ...parameter,
  schema: content === undefined ? leanSchema(schema) : { type: "string" },
});

/** Generators would read a body of many records as one. Lines are a file to them, events a text. */
const streams: Record<string, Json> = {
  "application/x-ndjson": { type: "string", format: "binary" },
  "text/event-stream": { type: "string" },
};

/** JSON where there is any, else what there is, without examples. A file of any type is bytes. */
const oneOf = (content: Record<string, { schema: Json }>): Json => {
  const [type, first] =
    Object.entries(content).find(([name]) => name === "application/json") ?? Object.entries(content)[0] ?? [];
  if (type === undefined || first === undefined) return {};
  const schema = streams[type] ?? leanSchema(first.schema);
  return { [type === "*/*" ? "application/octet-stream" : type]: { schema } };
};

const problemTypes = ["application/problem+json", "application/json"];

/** An error is the one that all operations share for its status. */
const leanAnswer = (
  status: string,
  { description, headers, content = {} }: Response,
  responses: Record<string, Json>,
): Json => {
  if (status < "400" || Object.keys(content).length > 1)
    return { description, ...(headers === undefined || status >= "400" ? {} : { headers }), content: oneOf(content) };
  const type = problemTypes.find((one) => content[one] !== undefined) ?? "";
  const schema = content[type]?.schema;
  const isProblem = schema?.$ref === "#/components/schemas/Problem";
  const name = `${isProblem ? "Problem" : "OpenAiError"}${status}`;
  responses[name] ??= {
    description: `An error of status ${status}; its \`code\` says which.`,
    content: { [type]: { schema } },
  };
  return { $ref: `#/components/responses/${name}` };
};

/** Files have an operation of their own, since a body of JSON and one with a file do not make one type. */
const filesOperation = (paths: Record<string, Record<string, Json>>, responses: Record<string, Json>): Json => {
  const operation = paths[filesPath]?.post;
  if (operation === undefined) return {};
  const {
    requestBody,
    "x-alias-of": _alias,
    ...rest
  } = operation as {
    requestBody: { content: Record<string, { schema: Json }> };
    "x-alias-of": string;
  };
  const whole = requestBody.content["multipart/form-data"];
  const about = { operationId: "ingestFile", summary: "Ingest a file" };
  const content = { "multipart/form-data": { schema: leanSchema(whole?.schema) } };
  return {
    [filesPath]: {
      post: { ...leanOperation({ ...rest, ...about }, responses), requestBody: { required: true, content } },
    },
  };
};

/** A JSON value refers to itself, which generators do not follow. An object in a form is JSON text. */
const leanNamed = (name: string, schema: Json): Json => {
  if (name === "JsonValue") return {};
  const lean = leanSchema(schema);
  if (!name.endsWith("Multipart")) return lean;
  const fields = Object.entries((lean.properties ?? {}) as Record<string, Json>).map(([field, about]) =>
    about.type === "object"
      ? [field, { type: "string", description: `JSON text. ${about.description ?? ""}`.trim() }]
      : [field, about],
  );
  return { ...lean, properties: Object.fromEntries(fields) };
};

/** Rules between fields, which descriptions say too; what is no type; and examples, which the whole document has. */
const dropped = new Set([
  "not",
  "dependentSchemas",
  "dependentRequired",
  "propertyNames",
  "default",
  "examples",
  "example",
  "additionalProperties",
]);

const leanSchema = (schema: unknown): Json => {
  if (typeof schema !== "object" || schema === null) return {};
  const found = schema as Json;
  const lean: Json = {};
  for (const [key, value] of Object.entries(withoutNull(found))) {
    // Of `additionalProperties` that are a type the type is kept: it is a map.
    if (dropped.has(key) && !(key === "additionalProperties" && typeof value === "object")) continue;
    // Generators for Rust make a type of its own of a choice of one, with a field that cannot be named.
    if ((key === "const" || key === "enum") && found.type === "boolean") continue;
    if (key === "oneOf" && (found.type === "object" || found.properties !== undefined)) continue;
    if (key === "properties") {
      const fields = Object.entries(value as Record<string, unknown>).filter(([, field]) => field !== false);
      lean.properties = Object.fromEntries(fields.map(([name, field]) => [name, leanField(field)]));
    } else if (Array.isArray(value))
      lean[key] = value.map((one) => (typeof one === "object" && one !== null ? leanSchema(one) : one));
    else if (typeof value === "object" && value !== null) lean[key] = leanSchema(value);
    else lean[key] = value;
  }
  // A number that may be sent as text is a number.
  if (Array.isArray(lean.anyOf)) {
    const alternatives = lean.anyOf as Json[];
    const types = alternatives.map(({ type }) => type).filter((type) => type !== "null");
    const isNumber =
      types.length === 2 && types.includes("string") && (types.includes("integer") || types.includes("number"));
    const kept = isNumber ? alternatives.filter(({ type }) => type !== "string") : alternatives;
    if (kept.length === 1) {
      const { anyOf: _anyOf, ...rest } = lean;
      return { ...kept[0], ...rest };
    }
    lean.anyOf = kept;
  }
  return lean;
};

/** A field that is always null says nothing, and most generators have no type for it. */
const leanField = (field: unknown): Json => {
  const lean = leanSchema(field);
  const { type, ...rest } = lean;
  return type === "null" ? rest : lean;
};

/** Null for a field of a body means the same as leaving it out; what may be null in an answer is written as `anyOf`. */
const withoutNull = (schema: Json): Json => {
  if (!Array.isArray(schema.type)) return schema;
  const [type, ...others] = schema.type.filter((one) => one !== "null");
  if (others.length > 0) return schema;
  const choices = Array.isArray(schema.enum) ? { enum: schema.enum.filter((one) => one !== null) } : {};
  return { ...schema, ...choices, type };
};

/** The schemas that something in the document refers to, also through others. */
const referredTo = (
  document: { paths: Json; components: Json },
  schemas: Record<string, Json>,
): Record<string, Json> => {
  const wanted = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (wanted.has(name)) continue;
      wanted.add(name);
      visit(schemas[name]);
    }
  };
  visit([document.paths, document.components.responses]);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => wanted.has(name)));
};
