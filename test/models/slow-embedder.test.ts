import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { AnswerBody } from "../answers/client.ts";
import { type EmbedderServer, serveWithEmbedder } from "../embedder/serve-with-embedder.ts";
import { eventually, until } from "../until.ts";

/** No question waits for the server of the embedding model: it says nothing here until the answers are there. */

const text = "The reading room opens at nine in winter.";
const query = "When does the reading room open in winter?";
const slow =
  "Full text and the built-in static vectors answered, because the embedding model was too slow: model `vectors` had no vector";

type Reply = (good: unknown) => Response | Promise<Response>;
const good: Reply = (body) => Response.json(body);
const silent: Reply = () => new Promise(() => {});
const busy: Reply = () => Response.json({ error: "slow down" }, { status: 429, headers: { "retry-after": "50" } });
const broken: Reply = () => Response.json({ error: "something broke" }, { status: 500 });

let server: EmbedderServer;
let ollama: ReturnType<typeof Bun.serve>;
/** How it answers what the model is, and a text. */
let replies: { show: Reply; embed: Reply };
let calls: { show: number; embed: number };

/** Starts anew, so that nothing is known of the model. A call may take far longer than the test. */
const restart = (): Promise<void> =>
  server.restart({
    provider: "ollama",
    model: "vectors",
    baseUrl: `http://127.0.0.1:${ollama.port}`,
    timeoutMs: 600_000,
  });

const search = async (): Promise<string[]> => {
  const { relevantSnippets, receipt } = await server.search(query);
  expect(relevantSnippets[0]?.metadata.content).toContain("opens at nine");
  return receipt.warnings;
};

beforeAll(async () => {
  ollama = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      // With an empty list the check at the start asks no further.
      if (pathname === "/api/tags") return Response.json({ models: [] });
      const { input = [] } = (await request.json()) as { input?: string[] };
      const call = pathname === "/api/show" ? "show" : "embed";
      calls[call] += 1;
      return await replies[call](
        call === "show" ? { capabilities: ["embedding"] } : { embeddings: input.map((one) => [one.length, 1, 0.5]) },
      );
    },
  });
  server = await serveWithEmbedder();
});
beforeEach(async () => {
  replies = { show: good, embed: good };
  calls = { show: 0, embed: 0 };
  await restart();
  expect((await server.ingest(text)).status).toBe(200);
  await server.until(({ pending, building }) => pending === 0 && building === null);
  expect(await search()).toEqual([]);
  calls = { show: 0, embed: 0 };
});
afterAll(async () => {
  await server.dispose();
  await ollama.stop(true);
});

test("a model that hangs is not waited for, and the next questions do not ask it for a while", async () => {
  replies.embed = silent;
  const together = await Promise.all([search(), search()]);
  for (const warnings of together) expect(warnings).toEqual([expect.stringContaining(slow)]);
  expect(calls.embed).toBe(2);
  expect(await search()).toEqual([expect.stringContaining("the model is not called for a moment")]);
  expect(calls.embed).toBe(2);
  replies.embed = good;
  await eventually(async () => expect(await search()).toEqual([]));
});

test("a busy server's Retry-After is not waited out, and kept", async () => {
  replies.embed = busy;
  expect(await search()).toEqual([expect.stringMatching(/because the embedding model was too busy: .* answered 429/)]);
  replies.embed = good;
  expect(await search()).toEqual([expect.stringMatching(/was too busy: the model is not called for a moment; .* 429/)]);
  expect(calls.embed).toBe(1);
});

test("a chat's question does not wait either", async () => {
  replies.embed = silent;
  const chat = (await (await server.post("/api/chat", {})).json()) as { id: string };
  const response = await server.post(`/api/chat/${chat.id}/message`, { message: query });
  expect(response.status).toBe(200);
});

test("the first question after a start does not wait for the repeats of the work in the background", async () => {
  replies.show = silent;
  await restart();
  await until(() => calls.show === 1, "the background asks what the model is");
  replies.show = broken;
  expect(await search()).toEqual([expect.stringMatching(/because the embedding model failed: .* answered 500/)]);
});

test("nor if the server was silent from the start; then stopping waits for nothing", async () => {
  replies.show = silent;
  await restart();
  await until(() => calls.show === 1, "the background asks what the model is");
  const { relevantSnippets } = (await (await server.post("/api/query", { query, answer: false })).json()) as AnswerBody;
  expect(relevantSnippets).not.toEqual([]);
  replies.show = good;
  // It stops the server first.
  await restart();
});
