import type { Endpoint, RawAnswer } from "../endpoint.ts";
import { problemsOf } from "./openapi-problems.ts";
import { headerRefs, type Json, shown } from "./openapi-schemas.ts";

type Answers = Record<string, { description: string; headers?: Json; content?: Json; links?: Json }>;

const eventStreamType = "text/event-stream";

/** Every answer of an operation, each error with its codes. */
export const responsesOf = (endpoint: Endpoint): Answers => merged(answersOf(endpoint), problemsOf(endpoint));

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
