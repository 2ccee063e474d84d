import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { AnswerBody } from "../answers/client.ts";
import { readEvents } from "../answers/client.ts";
import { serveWithEmbedder } from "../embedder/serve-with-embedder.ts";
import { eventually } from "../until.ts";
import { type Fault, faults, startFailingOllama } from "./failing-ollama.ts";

/** What happened, in the words of docs/models.md. */
const words: Record<Fault, string> = {
  down: "The server is down (connection refused)",
  silent: "It says nothing for `timeoutMs` (a cold model, a swapping machine)",
  stalls: "It falls silent in the middle of its answer",
  garbage: "It answers with something else (another program at that address)",
  "proxy page": "A proxy before it answers with an error page",
  cut: "It breaks off its answer without an end",
  breaks: "Its connection breaks in the middle of its answer (it crashed)",
  "refuses the key": "It refuses the key (401)",
  "rate limited": "It asks to wait longer than `timeoutMs` (429, `Retry-After`)",
  "queue full": "Its queue is full (503)",
  "out of memory": "The model does not fit its memory (500)",
  "model gone": "The model is not there (404)",
};

const text = "The reading room opens at nine in winter.";
const question = { query: "When does the reading room open in winter?" };

const restart = (): Promise<void> => {
  const embedding = { provider: "ollama" as const, model: "embedder", baseUrl: embedder.url, timeoutMs: 1_000 };
  return server.restart(embedding, (config) => {
    config.models.answer = {
      ...config.models.answer,
      provider: "ollama",
      model: "writer",
      baseUrl: writer.url,
      timeoutMs: 1_000,
    };
  });
};

const writer = startFailingOllama();
const embedder = startFailingOllama();
const server = await serveWithEmbedder();
await restart();
expect((await server.ingest(text)).status).toBe(200);
await server.until(({ pending, building }) => pending === 0 && building === null);
// What the model is and can is asked once.
expect((await server.post("/api/query", question)).status).toBe(200);
afterAll(async () => {
  await server.dispose();
});

interface Problem {
  status: number;
  code: string;
  detail: string;
}

const told = ({ status, code }: Problem, headers?: Headers): string =>
  `${status} \`${code}\`${headers?.has("retry-after") ? " with `Retry-After`" : ""}`;

/** One after another on one server: a good answer in between lets the circuit breaker forget. */
const observe = async (fault: Fault): Promise<string> => {
  await writer.fail(fault);
  const failed = await server.post("/api/query", question);
  const problem = (await failed.json()) as Problem & Partial<AnswerBody>;
  const events = await readEvents(await server.post("/api/query", { ...question, stream: true }));
  const last = events.at(-1);
  // Silence before the first word is no failure for the reader.
  const isQuoted = failed.status === 200;
  if (isQuoted) expect(problem.receipt?.warnings.join()).toContain("models.answer");
  else expect(problem.detail).toMatch(/models\.answer|try again in a moment/);
  expect([events[0]?.event, last?.event]).toEqual(["snippets", isQuoted ? "done" : "error"]);
  await writer.fail(null);
  const good = (await (await server.post("/api/query", question)).json()) as AnswerBody;
  expect(good).toMatchObject({ answer: "The reading room opens at nine in winter [1]." });

  await embedder.fail(fault);
  const asked = (await (await server.post("/api/query", question)).json()) as AnswerBody;
  expect(asked.answer).toBe(good.answer);
  const name = `Hours (${fault})`;
  const taken = await server.post("/api/ingest", { name, text: `${text} (${fault})` });
  expect(taken.status).toBe(200);
  const { id, status, embedded } = (await taken.json()) as { id: string; status: string; embedded: boolean };
  expect([status, embedded]).toEqual(["processed", false]);
  const { relevantSnippets } = await server.search(`${question.query} (${fault})`);
  expect(relevantSnippets.map(({ metadata }) => metadata.documentUploadId)).toContain(id);
  const waiting = await server.until(({ error }) => error !== null);
  expect(waiting).toMatchObject({ pending: 1, active: { model: "embedder" } });
  await embedder.fail(null);
  // It asked for two minutes, and gets one: the next start does not know of it.
  if (fault === "rate limited") await restart();
  await server.until(({ pending, error }) => pending === 0 && error === null);
  expect((await server.send(`/api/document/${id}`, { method: "DELETE" })).status).toBe(200);

  const answering = isQuoted
    ? "200, quoted from the documents, warning; 504 `model_timeout` with a `prompt` | 200, the same"
    : `${told(problem, failed.headers)} | \`error\` event: ${told(last?.data as Problem)}`;
  return `| ${words[fault]} | ${answering} | 200, full text and the built-in table answer, warning | 200, found at once; its vectors follow |`;
};

test.each([...faults])(
  "%s: what the caller sees is what docs/models.md says",
  async (fault) => {
    const row = await observe(fault);
    const page = await Bun.file(join(import.meta.dir, "../../docs/models.md")).text();
    expect(page.split("\n")).toContain(row);
  },
  60_000,
);

test("a server that fails three times in a row is not called for a moment: 503 at once, with Retry-After", async () => {
  await writer.fail("silent");
  for (let count = 0; count < 3; count++) expect((await server.post("/api/query", question)).status).toBe(200);
  const refused = await server.post("/api/query", question);
  expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true]);
  expect(((await refused.json()) as Problem).detail).toContain("is not called for a moment");
  await writer.fail(null);
});

test("a server that is away before it was ever asked for its context is told as failing", async () => {
  await restart();
  const expectState = async (state: string): Promise<void> => {
    const { models } = (await (await server.send("/health/ready")).json()) as { models: unknown[] };
    expect(models).toContainEqual({ use: "answer", state });
  };
  // The check at the start has no say after it.
  await eventually(() => expectState("ok"));
  await writer.fail("down");
  expect((await server.post("/api/query", question)).status).toBe(503);
  await expectState("failing");
  const metrics = await (await server.send("/metrics")).text();
  expect(metrics).toMatch(/carrel_model_calls_total\{use="answer",provider="ollama",outcome="unreachable"\} 1\b/);
  await writer.fail(null);
  expect((await server.post("/api/query", question)).status).toBe(200);
  await expectState("ok");
});
