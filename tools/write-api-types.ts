/**
 * Writes the types of the API, from the OpenAPI document: clients/typescript/src/api.ts, which the pages use too.
 * `bun tools/write-api-types.ts`. A test fails while they differ. (openapi-typescript needs the compiler's API, which
 * TypeScript 7 has not.)
 */
import { compile } from "json-schema-to-typescript";
import { version } from "../src/domain/version.ts";
import { leanDocument } from "../src/http/docs/lean-document.ts";
import { openApiDocument } from "../src/http/docs/openapi-document.ts";
import type { Json } from "../src/http/docs/openapi-schemas.ts";
import { declaredEndpoints } from "../src/program/app.ts";

/** Schemas beside those of the operations: of forms, lines and events, and what the pages alone use. */
const usedBeside = ["AnswerEvent", "BatchAnswer", "DocumentEvent", "IngestRequestMultipart", "MessageEvent", "Problem"];

type Schemas = Record<string, Json>;

interface Operation {
  summary: string;
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

const wholeDocument = openApiDocument(declaredEndpoints(), version) as unknown as Json & {
  components: { schemas: Schemas };
};

/** The text of a module that exports these types and those that they refer to. */
const typesOf = async (name: string, properties: Schemas, definitions: Schemas): Promise<string> => {
  const schema = { type: "object", additionalProperties: false, required: Object.keys(properties), properties };
  const text = JSON.stringify({ ...schema, definitions }).replaceAll("#/components/schemas/", "#/definitions/");
  return await compile(JSON.parse(text) as Parameters<typeof compile>[0], name, {
    bannerComment: "// Made by tools/write-api-types.ts from the OpenAPI document. Do not edit.",
    additionalProperties: false,
    unreachableDefinitions: false,
    style: { printWidth: 120 },
  });
};

const refer = (names: readonly string[]): Schemas =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));

/** The module: `Operations` has a member for each operation that takes and answers JSON, text or a file. */
export const apiTypes = (): Promise<string> => {
  const lean = leanDocument(wholeDocument) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Schemas };
  };
  const operations: Schemas = {};
  for (const [path, methods] of Object.entries(lean.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const schema = path.startsWith("/api/") || path.startsWith("/health/") ? operationSchema(operation) : null;
      if (schema !== null) operations[`${method.toUpperCase()} ${path}`] = schema;
    }
  const Operations = objectOf(operations, Object.keys(operations), "Every operation: what it takes and answers.");
  const schemas = { ...wholeDocument.components.schemas, ...lean.components.schemas };
  const definitions = { ...(asClientsSee(schemas) as Schemas), Operations };
  return typesOf("ApiTypes", refer(["Operations", ...usedBeside]), definitions);
};

const objectOf = (properties: Schemas, required: string[], description?: string): Json => ({
  type: "object",
  additionalProperties: false,
  ...(description === undefined ? {} : { description }),
  required,
  properties,
});

/** @returns null for streams, pages and bodies other than JSON */
const operationSchema = ({ summary, parameters = [], requestBody, responses }: Operation): Json | null => {
  const body = requestBody?.content["application/json"];
  const [mediaType, answer] = Object.entries((responses["200"] ?? responses["202"])?.content ?? {})[0] ?? [];
  if ((requestBody !== undefined && body === undefined) || mediaType === undefined) return null;
  if (["text/event-stream", "text/html"].includes(mediaType)) return null;
  const properties: Schemas = {};
  const required = ["answer"];
  for (const place of ["path", "query"]) {
    const found = parameters.filter((one) => one.in === place);
    if (found.length === 0) continue;
    const fields = found.map((one) => [one.name, { ...one.schema, description: one.description }]);
    const needed = found.filter((one) => one.required === true).map((one) => one.name);
    properties[place] = objectOf(Object.fromEntries(fields), needed);
    if (needed.length > 0) required.push(place);
  }
  if (body !== undefined) properties.body = body.schema;
  if (requestBody?.required === true) required.push("body");
  // What is neither JSON nor text is handed over as the response, to be read as its reader likes.
  const types: Record<string, Json | undefined> = {
    "application/json": answer?.schema,
    "text/markdown": { type: "string" },
  };
  properties.answer = types[mediaType] ?? { tsType: "Response" };
  return objectOf(properties, required, summary);
};

/** An event's data are parsed, and an object of which nothing more is said holds anything. */
const asClientsSee = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asClientsSee);
  if (typeof value !== "object" || value === null) return value;
  const schema = value as Json;
  if (schema.contentSchema !== undefined) return schema.contentSchema;
  const isOpen = Object.keys(schema.properties ?? {}).length === 0 && schema.additionalProperties === undefined;
  if (schema.type === "object" && isOpen) return { ...schema, tsType: "Record<string, unknown>" };
  return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, asClientsSee(inner)]));
};

if (import.meta.main) {
  await Bun.write(new URL("../clients/typescript/src/api.ts", import.meta.url), await apiTypes());
}
