import type { TSchema } from "@sinclair/typebox";
import { type ErrorCode, errorTable } from "../../domain/errors.ts";
import type { Endpoint, RawAnswer } from "../endpoint.ts";
import { pathsOf } from "../path-lookup.ts";
import { exampleProblem, isOpenAiPath, openAiError, openAiErrorSchema, problemSchema } from "../problem.ts";
import { noNul } from "../schema/text-field.ts";
import {
  bodyOf,
  headerRefs,
  type Json,
  namedBodies,
  namedSchemas,
  refTo,
  sharedHeaders,
  shown,
  written,
} from "./openapi-schemas.ts";

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

/**
 * One operation of the OpenAPI 3.1 document, made from its declaration: parameters, body in its three encodings,
 * answers, every error with its codes, examples.
 *
 * @param path the one of the operation's paths that is described
 */
const describeOperation = (endpoint: Endpoint, path: string): Json => {
  return {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...descriptionOf(endpoint, path),
    operationId: operationIdOf(endpoint, path),
    // The page shows an operation once, under its first path, and says who may call it.
    ...(path === endpoint.path ? {} : { "x-alias-of": endpoint.operationId }),
    "x-access": endpoint.access,
    security: securityOf(endpoint),
    parameters: [
      ...parametersOf("path", endpoint.params),
      ...parametersOf("query", endpoint.query),
      ...parametersOf("header", endpoint.headers),
      ...(endpoint.body === undefined ? [] : [requestId]),
    ],
    ...bodyOf(endpoint),
    responses: responsesOf(endpoint),
  };
};

/** Accepted with every request; shown where a body is sent, which may have to be traced. */
const requestId = {
  name: "X-Request-Id",
  in: "header",
  required: false,
  description: "Your own id of the request, in the server's log and in the answer: up to 128 of `A-Z a-z 0-9 . _ -`.",
  schema: { type: "string", pattern: noNul },
};

/** What it does, and its other paths. */
const descriptionOf = ({ method, path: first, aliases = [], description }: Endpoint, path: string): Json => {
  if (path !== first) return { description: `The same as \`${method} ${first}\`.` };
  const others = aliases.length === 0 ? [] : [`Also at ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`];
  const text = [...(description ? [description] : []), ...others].join(" ");
  return text === "" ? {} : { description: text };
};

/** An operation's other paths have ids of their own: `getDocument` is also `getDocumentAlias`. */
const operationIdOf = ({ operationId, path: first, aliases = [] }: Endpoint, path: string): string => {
  if (path === first) return operationId;
  const number = aliases.indexOf(path) + 1;
  return `${operationId}Alias${number === 1 ? "" : number}`;
};

const securityOf = ({ access }: Endpoint): Json[] => {
  if (access === "open") return [];
  return access === "visitor" ? [{}, { key: [] }] : [{ key: [] }];
};

const parametersOf = (place: "path" | "query" | "header", schema: TSchema | undefined): Json[] => {
  const required = new Set<string>((schema?.required ?? []) as string[]);
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, property]) => {
    const { description, ...rest } = written(property);
    const isRequired = place === "path" || required.has(name);
    const whole = property.$id === undefined ? rest : shown(property);
    return {
      name,
      in: place,
      required: isRequired,
      ...(description ? { description } : {}),
      // An object is sent in a query string as JSON text.
      ...(rest.type === "object" ? { content: { "application/json": { schema: whole } } } : { schema: whole }),
    };
  });
};

type Answers = Record<string, { description: string; headers?: Json; content?: Json; links?: Json }>;

const eventStreamType = "text/event-stream";

/** Every answer of an operation, each error with its codes. */
const responsesOf = (endpoint: Endpoint): Answers => merged(answersOf(endpoint), problemsOf(endpoint));

const answersOf = (endpoint: Endpoint): Answers => {
  const isList = (endpoint.query?.properties as Json | undefined)?.limit !== undefined;
  const shared = headerRefs(...(isList ? ["X-Total-Count"] : []), ...(endpoint.answerHeaders ?? []));
  const answers: Answers = {};
  for (const [status, answer] of Object.entries(endpoint.responses)) {
    const sample = exampleOf(endpoint, status);
    if (isRawAnswer(answer)) {
      const content = { [answer.mediaType]: { schema: rawSchema(answer), ...sample } };
      answers[status] = { description: answer.description, headers: shared, content };
      continue;
    }
    const json = { "application/json": { schema: shown(answer), ...sample } };
    answers[status] = {
      description: answer.description ?? descriptions[status] ?? "Done.",
      headers: shared,
      content: status === "200" ? { ...json, ...eventsOf(endpoint) } : json,
      ...(status.startsWith("2") ? linksOf(endpoint) : {}),
    };
  }
  return answers;
};

/** A text, bytes or, for a stream, one of its events or lines: OpenAPI 3.1 cannot describe the stream itself. */
const rawSchema = ({ mediaType, item }: RawAnswer): Json => {
  if (item !== undefined) return shown(item);
  return mediaType.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" };
};

/** What `stream: true` answers with: the schema is that of one event. */
const eventsOf = ({ events, example }: Endpoint): Json =>
  events === undefined
    ? {}
    : {
        [eventStreamType]: {
          schema: shown(events),
          ...(example === undefined ? {} : { example: `event: done\ndata: ${JSON.stringify(example.response)}\n\n` }),
        },
      };

/** Where the `id` of the answer leads. */
const linksOf = ({ links = [] }: Endpoint): Json =>
  links.length === 0
    ? {}
    : {
        links: Object.fromEntries(
          links.map((operationId) => [operationId, { operationId, parameters: { id: "$response.body#/id" } }]),
        ),
      };

/** The endpoint's example is of success; an answer of another status has its own in its schema, if any. */
const exampleOf = ({ example, responses }: Endpoint, status: string): Json => {
  if (status.startsWith("2")) return example === undefined ? {} : { example: example.response };
  const { examples } = (responses[Number(status)] ?? {}) as { examples?: unknown[] };
  return examples === undefined ? {} : { example: examples[0] };
};

/** One status may answer with a body of its own and with a problem, as `/health/ready` does with 503. */
const merged = (answers: Answers, problems: Answers): Answers => {
  const both = Object.entries(problems).map(([status, problem]) => {
    const answer = answers[status];
    if (answer === undefined) return [status, problem];
    const description = `${answer.description} ${problem.description}`;
    return [
      status,
      {
        description,
        headers: { ...answer.headers, ...problem.headers },
        content: { ...answer.content, ...problem.content },
      },
    ];
  });
  return { ...answers, ...Object.fromEntries(both) };
};

const descriptions: Record<string, string> = { 200: "Done.", 202: "Accepted; the work continues in the background." };

const isRawAnswer = (answer: Endpoint["responses"][number]): answer is RawAnswer =>
  "mediaType" in answer && typeof answer.mediaType === "string";

/** Codes that every operation of this kind may answer with, before its own. */
const codesOf = (endpoint: Endpoint): ErrorCode[] => {
  const codes = new Set<ErrorCode>();
  if (endpoint.access !== "open")
    for (const code of ["key_missing", "key_unknown", "key_expired", "session_ended"] as const) codes.add(code);
  if (endpoint.access !== "open") codes.add("rate_limited");
  if (endpoint.access === "writer" || endpoint.access === "admin") codes.add("role_forbidden");
  if (endpoint.body ?? endpoint.query ?? endpoint.params) codes.add("invalid_request");
  if (endpoint.body)
    for (const code of ["malformed_body", "body_too_large", "unsupported_media_type", "overloaded"] as const)
      codes.add(code);
  if (endpoint.rawBody) codes.add("unsupported_media_type");
  if (endpoint.body ?? endpoint.rawBody) codes.add("body_too_slow");
  if (endpoint.wholeServer) for (const code of ["key_limited", "organization_forbidden"] as const) codes.add(code);
  for (const code of endpoint.errors) codes.add(code);
  if (endpoint.access !== "open" && endpoint.method !== "GET") codes.add("session_header_missing");
  return [...codes.add("internal").add("draining")];
};

/** Headers of a problem, by status. */
const problemHeaders: Record<number, string[]> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** The problem answers of an operation by status, each with its codes. */
const problemsOf = (endpoint: Endpoint) => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(endpoint)) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const problems = [...byStatus].map(
    ([status, codes]) => [status, problemAnswer(status, codes, endpoint.path)] as const,
  );
  return {
    ...Object.fromEntries(problems),
    // The listener itself gives this answer, before there is a request.
    ...(endpoint.query === undefined
      ? {}
      : { 431: { description: "The request line and headers take more than 16 KiB. There is no body." } }),
  };
};

/** The answer with a problem document of one of these codes, all of one status. */
const problemAnswer = (status: number, codes: readonly ErrorCode[], path: string) => ({
  description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}.`).join(" "),
  headers: headerRefs(...(problemHeaders[status] ?? [])),
  content: contentOf(codes[0], path),
});

const contentOf = (code: ErrorCode | undefined, path: string) => {
  const problem = code === undefined ? null : exampleProblem(code, path);
  if (!isOpenAiPath(path))
    return { "application/problem+json": { schema: refTo("Problem"), ...(problem && { example: problem }) } };
  const example = problem && { example: openAiError(problem) };
  return { "application/json": { schema: refTo("OpenAiError"), ...example } };
};
