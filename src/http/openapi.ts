import type { TSchema } from "@sinclair/typebox";
import { type ErrorCode, errorTable } from "../errors.ts";
import type { Endpoint } from "./endpoint.ts";
import { jsonBodySchema, shown } from "./json-body-schema.ts";
import type { ProblemDocument } from "./problem.ts";

type Json = Record<string, unknown>;

/**
 * One operation of the OpenAPI 3.1 document, made whole from its declaration: parameters, body in its three encodings,
 * answers, every error with its codes, examples.
 *
 * @param path the one of the operation's paths that is described
 */
export function describeOperation(endpoint: Endpoint, path: string): Json {
  return {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...descriptionOf(endpoint, path),
    operationId: operationId(endpoint.method, path),
    // The page shows an operation once, under its first path.
    ...(path === endpoint.path ? {} : { "x-scalar-ignore": true }),
    security: securityOf(endpoint),
    parameters: [...parametersOf("path", endpoint.params), ...parametersOf("query", endpoint.query)],
    ...bodyOf(endpoint),
    responses: merged(answersOf(endpoint), problemsOf(endpoint)),
  };
}

/** What it does, and its other paths. */
function descriptionOf({ method, path: first, aliases = [], description }: Endpoint, path: string): Json {
  if (path !== first) return { description: `The same as \`${method} ${first}\`.` };
  const others = aliases.length === 0 ? [] : [`Also at ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`];
  const text = [...(description ? [description] : []), ...others].join(" ");
  return text === "" ? {} : { description: text };
}

const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function securityOf({ access }: Endpoint): Json[] {
  if (access === "open") return [];
  return access === "visitor" ? [{}, { key: [] }] : [{ key: [] }];
}

function parametersOf(place: "path" | "query", schema: TSchema | undefined): Json[] {
  const required = new Set<string>((schema?.required ?? []) as string[]);
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, property]) => {
    const { description, ...rest } = shown(property);
    const isRequired = place === "path" || required.has(name);
    return {
      name,
      in: place,
      required: isRequired,
      ...(description ? { description } : {}),
      schema: rest,
      ...(isRequired ? {} : unsentExample(rest)),
    };
  });
}

/** An example value that the page, when an operation is tried, sends only after it was chosen. */
function unsentExample({ default: initial, examples, enum: choices }: Json): Json {
  const [value] = [examples, choices].filter(Array.isArray).flat();
  return initial !== undefined || value === undefined ? {} : { examples: { default: { value, "x-disabled": true } } };
}

function bodyOf({ body, rawBody, acceptsFile, example }: Endpoint): Json {
  const sample = example?.request === undefined ? {} : { example: example.request };
  if (rawBody) {
    return {
      requestBody: { required: true, content: { "application/x-ndjson": { schema: { type: "string" }, ...sample } } },
    };
  }
  if (body === undefined) return {};
  const schema = shown(body);
  const file = { type: "string", format: "binary", description: "The file to ingest." };
  const multipart = acceptsFile ? { ...schema, properties: { ...(schema.properties as Json), file } } : schema;
  return {
    requestBody: {
      required: Array.isArray(body.required) && body.required.length > 0,
      content: {
        "application/json": { schema: jsonBodySchema(body), ...sample },
        "application/x-www-form-urlencoded": { schema },
        "multipart/form-data": { schema: multipart },
      },
    },
  };
}

function answersOf(endpoint: Endpoint): Responses {
  const isList = (endpoint.query?.properties as Json | undefined)?.limit !== undefined;
  const headers = {
    "X-Request-Id": { schema: { type: "string" }, description: "Names this request in the server's log." },
    ...(isList
      ? { "X-Total-Count": { schema: { type: "integer" }, description: "Records in all, before paging." } }
      : {}),
  };
  const streams = (endpoint.body?.properties as Json | undefined)?.stream !== undefined;
  const answers: Responses = {};
  for (const [status, answer] of Object.entries(endpoint.responses)) {
    const sample = exampleOf(endpoint, status);
    if (isMediaType(answer)) {
      const schema = answer.mediaType === EVENTS ? { description: answer.description } : { type: "string" };
      const content = { [answer.mediaType]: { schema, ...sample } };
      answers[status] = { description: answer.description, headers, content };
      continue;
    }
    const schema = shown(answer);
    const description = typeof schema.description === "string" ? schema.description : (descriptions[status] ?? "Done.");
    const json = { "application/json": { schema, ...sample } };
    const content = streams && status === "200" ? { ...json, [EVENTS]: eventsOf(endpoint) } : json;
    answers[status] = { description, headers, content };
  }
  return answers;
}

/** The example is of success; an answer of another status has its own in its schema, if any. */
function exampleOf({ example, responses }: Endpoint, status: string): Json {
  if (status.startsWith("2")) return example === undefined ? {} : { example: example.response };
  const { examples } = (responses[Number(status)] ?? {}) as { examples?: unknown[] };
  return examples === undefined ? {} : { example: examples[0] };
}

/** OpenAPI 3.1 has no words for single events: some tools hold a stream's schema against the whole, some against each. */
const EVENTS = "text/event-stream";

/** What `stream: true` answers with. */
const eventsOf = ({ example }: Endpoint): Json => ({
  schema: {
    description: "Events `snippets`, `delta` and `done`, whose data is the JSON answer; or `error`, with a problem.",
  },
  ...(example === undefined ? {} : { example: `event: done\ndata: ${JSON.stringify(example.response)}\n\n` }),
});

type Responses = Record<string, { description: string; content: Json; headers?: Json }>;

/** One status may answer with a body of its own and with a problem, as `/health/ready` does with 503. */
function merged(answers: Responses, problems: Responses): Responses {
  const both = Object.entries(problems).map(([status, problem]) => {
    const answer = answers[status];
    if (answer === undefined) return [status, problem];
    const description = `${answer.description} ${problem.description}`;
    return [status, { ...answer, description, content: { ...answer.content, ...problem.content } }];
  });
  return { ...answers, ...Object.fromEntries(both) };
}

const descriptions: Record<string, string> = { 200: "Done.", 202: "Accepted; the work goes on." };

const isMediaType = (answer: Endpoint["responses"][number]): answer is { mediaType: string; description: string } =>
  "mediaType" in answer && typeof answer.mediaType === "string";

/** Codes that every operation of this kind may answer with, before its own. */
function codesOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>();
  if (endpoint.access !== "open")
    for (const code of ["key_missing", "key_unknown", "key_expired"] as const) codes.add(code);
  if (endpoint.access === "writer" || endpoint.access === "admin") codes.add("role_forbidden");
  if (endpoint.body ?? endpoint.query ?? endpoint.params) codes.add("invalid_request");
  if (endpoint.body)
    for (const code of ["malformed_body", "body_too_large", "unsupported_media_type", "overloaded"] as const)
      codes.add(code);
  if (endpoint.rawBody) codes.add("unsupported_media_type");
  for (const code of endpoint.errors) codes.add(code);
  return [...codes.add("internal").add("draining")];
}

function problemsOf(endpoint: Endpoint): Responses {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(endpoint)) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const problems: Responses = {};
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    const [first] = codes;
    problems[String(status)] = {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}.`).join(" "),
      content: {
        "application/problem+json": {
          schema: { $ref: "#/components/schemas/Problem" },
          ...(first ? { example: exampleProblem(first, endpoint.path) } : {}),
        },
      },
    };
  }
  return problems;
}

const exampleProblem = (code: ErrorCode, instance: string): ProblemDocument => ({
  type: `/docs/errors#${code}`,
  title: errorTable[code].title,
  status: errorTable[code].status,
  detail: `${errorTable[code].title}.`,
  instance,
  code,
  requestId: "0198c5a0-7c1e-7d53-9f5b-2f1f6c0c9a10",
});
