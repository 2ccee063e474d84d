import { type ErrorCode, errorTable } from "../../domain/errors.ts";
import type { Endpoint, RawAnswer } from "../endpoint.ts";
import { exampleProblem } from "../schema/problem-schema.ts";
import { type Json, refTo, shown } from "./openapi-schemas.ts";

type Answers = Record<string, { description: string; headers?: Json; content?: Json; links?: Json }>;

const EVENTS = "text/event-stream";

/** Response headers that stand under `components.headers`. */
export const sharedHeaders: Record<string, { description: string; schema: Json }> = {
  "X-Request-Id": { description: "Names this request in the server's log.", schema: { type: "string" } },
  "X-Total-Count": { description: "Records in all, before paging.", schema: { type: "integer", minimum: 0 } },
  "WWW-Authenticate": { description: "How to authenticate: `Bearer`.", schema: { type: "string" } },
  "Retry-After": { description: "Seconds after which to try again, where known.", schema: { type: "integer" } },
  "X-Visitor-Token": {
    description: "To a visitor without a key: who it is. To be sent with the next requests.",
    schema: { type: "string" },
  },
  "Preference-Applied": {
    description: "`respond-async`, where `Prefer` asked for it.",
    schema: { type: "string" },
  },
  "Content-Disposition": { description: "`attachment`, with the document's name.", schema: { type: "string" } },
};

const headers = (...names: string[]): Json =>
  Object.fromEntries(["X-Request-Id", ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Every answer of an operation, each error with its codes. */
export const responsesOf = (endpoint: Endpoint): Answers => merged(answersOf(endpoint), problemsOf(endpoint));

const answersOf = (endpoint: Endpoint): Answers => {
  const isList = (endpoint.query?.properties as Json | undefined)?.limit !== undefined;
  const shared = headers(...(isList ? ["X-Total-Count"] : []), ...(endpoint.answerHeaders ?? []));
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

/** A text, bytes or, of a stream, one of its events or lines: OpenAPI 3.1 has no other words for those. */
const rawSchema = ({ mediaType, item }: RawAnswer): Json => {
  if (item !== undefined) return shown(item);
  return mediaType.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" };
};

/** What `stream: true` answers with: the schema is that of one event. */
const eventsOf = ({ events, example }: Endpoint): Json =>
  events === undefined
    ? {}
    : {
        [EVENTS]: {
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

/** The example is of success; an answer of another status has its own in its schema, if any. */
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

const descriptions: Record<string, string> = { 200: "Done.", 202: "Accepted; the work goes on." };

const isRawAnswer = (answer: Endpoint["responses"][number]): answer is RawAnswer =>
  "mediaType" in answer && typeof answer.mediaType === "string";

/** Codes that every operation of this kind may answer with, before its own. */
const codesOf = (endpoint: Endpoint): ErrorCode[] => {
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
};

/** Headers of a problem, by status. */
const problemHeaders: Record<number, string[]> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

const problemsOf = (endpoint: Endpoint): Answers => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(endpoint)) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const problems: Answers = Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), problemAnswer(status, codes, endpoint.path)]),
  );
  // The one answer that is not ours: the listener gives it before there is a request.
  if (endpoint.query !== undefined)
    problems["431"] = { description: "The request line and headers take more than 16 KiB. There is no body." };
  return problems;
};

/** The answer with a problem document of one of these codes, all of one status. */
export const problemAnswer = (status: number, codes: readonly ErrorCode[], path: string) => ({
  description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}.`).join(" "),
  headers: headers(...(problemHeaders[status] ?? [])),
  content: {
    "application/problem+json": {
      schema: refTo("Problem"),
      ...(codes[0] === undefined ? {} : { example: exampleProblem(codes[0], path) }),
    },
  },
});
