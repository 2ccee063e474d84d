import { errorTable } from "../errors.ts";

/** The parts of the OpenAPI document that belong to no single operation. */
export const openApiFrame = (version: string) => ({
  openapi: "3.1.0",
  info: {
    title: "Carrel",
    version,
    description:
      "Reads your documents and answers questions over them, with sources. Every operation takes its body as JSON, as a " +
      "URL-encoded form or as multipart/form-data; every error is a problem document (RFC 9457) with a stable `code`.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "/" }],
  tags: [
    { name: "Documents", description: "Ingest, list, read, change and delete documents." },
    { name: "Questions", description: "Ask over the whole organization, one partition or one document." },
    { name: "Chats", description: "Conversations over your documents." },
    { name: "Partitions", description: "Collections of documents." },
    { name: "Keys", description: "API keys of your organization." },
    { name: "Webhooks", description: "What the operator's webhooks were told, and telling it again." },
    { name: "Operation", description: "Health, metrics and what describes the server itself." },
  ],
  paths: {
    "/docs": { get: pageOperation("getDocs", "This document to read and to try", "text/html") },
    "/openapi.json": { get: pageOperation("getOpenapiJson", "This document", "application/json") },
  },
  components: {
    securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key: `crl_…`." } },
    schemas: { Problem: problemSchema },
  },
});

/** The two routes that the document comes by; they stand on the router beside the operations. */
const pageOperation = (operationId: string, summary: string, mediaType: string) => ({
  tags: ["Operation"],
  operationId,
  summary,
  security: [],
  responses: {
    200: {
      description: summary,
      content: { [mediaType]: { schema: { type: mediaType === "text/html" ? "string" : "object" } } },
    },
    503: {
      description: "`draining`: The server is stopping.",
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    },
  },
});

const problemSchema = {
  type: "object",
  description: "What went wrong (RFC 9457).",
  required: ["type", "title", "status", "detail", "instance", "code", "requestId"],
  properties: {
    type: { type: "string", description: "Page about this code." },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "What happened and what to do next." },
    instance: { type: "string", description: "Path of the request." },
    code: { type: "string", enum: Object.keys(errorTable), description: "Stable name of the failure." },
    requestId: { type: "string", description: "As in the header `X-Request-Id`." },
    errors: {
      type: "array",
      description: "Fields at fault.",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
  },
};
