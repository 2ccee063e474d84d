import { afterAll, beforeEach, expect, test } from "bun:test";
import type { EmbedderStatus } from "../../src/embedder/embedder.ts";
import type { AnswerBody } from "../answers/client.ts";
import { serveWithEmbedder } from "../embedder/serve-with-embedder.ts";

/** Whole servers are started: a busy machine takes its time. */
const text = "The reading room opens at nine in winter.";
const question = { query: "When does the reading room open in winter?" };

/** Nothing is built, and nothing is lacking. */
const isSettled = ({ building, pending }: EmbedderStatus) => building === null && pending === 0;

let embedder: ReturnType<typeof Bun.serve>;
let port = 0;
/** What the next calls of `/api/embed` are answered with; then the good answer. */
const odd: (() => Response | Promise<Response>)[] = [];
let calls = 0;

const good = (input: string[]) => ({ embeddings: input.map((one) => [one.length, 1, 0.5]) });

const startEmbedder = (): void => {
  embedder = Bun.serve({
    hostname: "127.0.0.1",
    port,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/api/show") return Response.json({ capabilities: ["embedding"] });
      if (pathname === "/api/tags") return Response.json({ models: [{ name: "vectors:latest" }] });
      const { input } = (await request.json()) as { input: string[] };
      calls++;
      const next = odd.shift();
      return next === undefined ? Response.json(good(input)) : await next();
    },
  });
  port = embedder.port ?? 0;
};

startEmbedder();
const server = await serveWithEmbedder();
await server.restart({ provider: "ollama", model: "vectors", baseUrl: `http://127.0.0.1:${port}` });
expect((await server.ingest(text)).status).toBe(200);
await server.until(isSettled);
afterAll(async () => {
  await server.dispose();
  await embedder.stop(true);
});
beforeEach(() => {
  odd.splice(0);
  calls = 0;
});

const json = (body: unknown) => () => Response.json(body);
const status = (code: number) => () => Response.json({ error: "something broke" }, { status: code });
const raw =
  (body: string, type = "application/json") =>
  () =>
    new Response(body, { headers: { "content-type": type } });

/** What else is no answer is each refused in test/providers/odd-answers. */
test.each<[string, () => Response]>([
  ["null", json(null)],
  ["numbers as texts", json({ embeddings: [["1", "2", "3"]] })],
  ["too few numbers", json({ embeddings: [[1, 2]] })],
  ["JSON that breaks off", raw('{"embeddings":[[1,2')],
  ["a page", raw("<html>hello</html>", "text/html")],
  ["500", status(500)],
])("an embedder that answers a question with %s: 200, and a warning if it was asked", async (_name, answer) => {
  odd.push(answer);
  const response = await server.post("/api/query", question);
  const body = (await response.json()) as AnswerBody;
  expect([response.status, body.answer]).toEqual([200, "The reading room opens at nine in winter. [1]"]);
  expect(body.receipt.warnings.join().includes("the embedding model failed")).toBe(calls > 0);
});

test("a vector of zeros is none: the other searches answer, and a warning says so", async () => {
  odd.push(json({ embeddings: [[0, 0, 0]] }));
  const response = await server.post("/api/query", question);
  const body = (await response.json()) as AnswerBody;
  expect(response.status).toBe(200);
  expect(body.relevantSnippets.length).toBeGreaterThan(0);
  expect(body.receipt.warnings.join()).toContain("a vector of zeros");
  for (const { metadata } of body.relevantSnippets) expect(metadata._distance).toBeWithin(0, 2.001);
});

const broken = (): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"embeddings":[['));
        setTimeout(() => controller.error(new Error("gone")), 10);
      },
    }),
  );

test.each<[string, (() => Response)[]]>([
  ["a 500", [status(500)]],
  ["a 502", [status(502)]],
  ["a 503", [status(503)]],
  ["a 504", [status(504)]],
  ["an EOF of its runner", [() => Response.json({ error: "EOF" }, { status: 500 })]],
  ["two of them", [status(500), status(502)]],
  ["a connection that breaks", [broken]],
])("%s of an embedder: the document is found at once, its vectors follow", async (name, answers) => {
  odd.push(...answers);
  const response = await server.ingest(`${text} And a word more: ${name}.`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ status: "processed", error: null });
  await server.until(isSettled);
  expect(odd).toEqual([]);
});

test("an embedder that stays broken costs documents nothing, and is asked less and less", async () => {
  odd.push(...Array.from({ length: 1_000 }, () => status(500)));
  expect((await server.ingest("A text for a broken embedder.")).status).toBe(200);
  expect((await server.ingest("Another text for it.")).status).toBe(200);
  const { pending } = await server.until(({ error }) => error?.includes("something broke") === true);
  expect(pending).toBe(2);
  expect(calls).toBeLessThan(40);
  odd.splice(0);
  await server.until(isSettled);
  expect((await server.status()).error).toBeNull();
});

test.each([
  ["down", 0],
  ["left alone after three failures", 3],
])(
  "an embedder that is %s when a document comes: found at once, its vectors when it is back",
  async (_name, failures) => {
    await embedder.stop(true);
    for (let n = 0; n < failures; n++) expect((await server.post("/api/query", question)).status).toBe(200);
    expect((await server.ingest(`A text after ${failures} failures.`)).status).toBe(200);
    const found = await server.search(`What text comes after ${failures} failures?`);
    expect(found.relevantSnippets[0]?.metadata.content).toContain(`after ${failures} failures`);
    startEmbedder();
    await server.until(isSettled);
  },
);

test.each([400, 401, 404])("a %i is told in the status, and the document is found", async (code) => {
  odd.push(...Array.from({ length: 1_000 }, () => status(code)));
  expect((await server.ingest(`A text that is refused with ${code}.`)).status).toBe(200);
  await server.until(({ error }) => error !== null);
  odd.splice(0);
  await server.until(isSettled);
});
