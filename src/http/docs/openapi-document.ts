import type { Endpoint } from "../endpoint.ts";
import { pathsOf } from "../path-lookup.ts";
import { isOpenAiPath, openAiErrorSchema, problemSchema } from "../problem.ts";
import { namedBodies } from "./openapi-bodies.ts";
import { describeOperation } from "./openapi-operation.ts";
import { problemAnswer } from "./openapi-problems.ts";
import { type Json, namedSchemas, sharedHeaders } from "./openapi-schemas.ts";

/**
 * The whole OpenAPI 3.1 document of these operations: `/openapi.full.json` and `carrel openapi --full`. `leanDocument` makes
 * `/openapi.json` of it.
 * @param prefix of every path, as clients reach the server
 */
export const openApiDocument = (endpoints: readonly Endpoint[], version: string, prefix = "") => ({
  openapi: "3.1.0",
  info: {
    title: "Carrel",
    version,
    description:
      "Reads your documents and answers questions over them, with sources. Every operation takes its body as JSON, as a " +
      "URL-encoded form or as multipart/form-data; every error is a problem document (RFC 9457) with a stable `code`.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: prefix || "/" }],
  tags: [
    { name: "Documents", description: "Ingest, list, read, change and delete documents." },
    { name: "Questions", description: "Ask over the whole organization, one partition or one document." },
    { name: "OpenAI", description: "The interface that tools for OpenAI's models speak." },
    { name: "Feedback", description: "How answers came about, and what people say of them." },
    { name: "Chats", description: "Conversations over your documents." },
    { name: "Partitions", description: "Collections of documents." },
    { name: "Keys", description: "API keys of your organization." },
    { name: "Sessions", description: "Signing in to the console with a key." },
    { name: "Webhooks", description: "Events sent to the operator's webhooks, and sending them again." },
    { name: "Audit", description: "Who changed what." },
    { name: "Operation", description: "Health, metrics and descriptions of the server itself." },
  ],
  paths: pathsIn(endpoints),
  components: {
    securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key: `crl_…`." } },
    headers: sharedHeaders,
    schemas: schemasIn(endpoints),
  },
});

const pathsIn = (endpoints: readonly Endpoint[]): Record<string, Json> => {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    // OpenAPI knows no path with a rest.
    for (const path of pathsOf(endpoint).filter((one) => !one.endsWith("*"))) {
      const shown = path.replace(/:(\w+)/g, "{$1}");
      paths[shown] = { ...paths[shown], [endpoint.method.toLowerCase()]: describeOperation(endpoint, path) };
    }
  }
  return {
    ...paths,
    "/docs": {
      get: pageOperation("getApiReference", "Guides, and this document as a page, to read and to try", "text/html"),
    },
    "/openapi.json": {
      get: pageOperation("getOpenApi", "This document as generators of clients take it", "application/json"),
    },
    "/openapi.full.json": { get: pageOperation("getFullOpenApi", "This document", "application/json") },
  };
};

/** By name, in the order of the alphabet. */
const schemasIn = (endpoints: readonly Endpoint[]): Record<string, Json> => {
  const inside = endpoints.map(({ params, query, headers, body, responses, rawBody, events }) => [
    ...[params, query, headers, events].filter((schema) => schema !== undefined),
    // The body itself is named below, as each encoding has it.
    body?.properties,
    rawBody?.schema.properties,
    responses,
  ]);
  const hasOpenAi = endpoints.some(({ path }) => isOpenAiPath(path));
  const schemas = {
    ...namedSchemas([problemSchema, ...(hasOpenAi ? [openAiErrorSchema] : []), ...inside]),
    ...namedBodies(endpoints),
  };
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** The two routes that serve the document; they are on the router beside the operations. */
const pageOperation = (operationId: string, summary: string, mediaType: string): Json => ({
  tags: ["Operation"],
  operationId,
  summary,
  "x-access": "open",
  security: [],
  responses: {
    200: {
      description: `${summary}.`,
      content: { [mediaType]: { schema: { type: mediaType === "text/html" ? "string" : "object" } } },
    },
    503: problemAnswer(503, ["draining"], "/docs"),
  },
});
