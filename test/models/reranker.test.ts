import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbedderServer, serveWithEmbedder } from "../embedder/serve-with-embedder.ts";

/** Whole servers are started: a busy machine takes its time. */
let server: EmbedderServer;
let judge: ReturnType<typeof Bun.serve>;
let verdict: (passages: string[]) => Response | Promise<Response> = () => new Response("no verdict", { status: 500 });
const texts = ["The boiler room opens at six.", "The boiler room opens at nine in winter.", "The boiler is blue."];

beforeAll(async () => {
  judge = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (!request.url.endsWith("/v1/rerank")) return new Response("no such path", { status: 404 });
      return verdict(((await request.json()) as { documents: string[] }).documents);
    },
  });
  server = await serveWithEmbedder();
  await server.restart({}, ({ models }) => {
    const baseUrl = `http://127.0.0.1:${judge.port}/v1`;
    models.reranker = { provider: "openai", model: "judge", baseUrl, apiKey: null, timeoutMs: 1_000 };
  });
  for (const text of texts) expect((await server.ingest(text)).status).toBe(200);
});
afterAll(async () => {
  await server.dispose();
  await judge.stop(true);
});

const ask = async () => {
  const { relevantSnippets, receipt } = await server.search("When does the boiler room open?");
  return { best: relevantSnippets[0]?.metadata.content, warnings: receipt.warnings };
};
/** Prefers the passage that says the word. */
const prefer = (word: string) => (passages: string[]) =>
  Response.json({
    results: passages.map((text, index) => ({ index, relevance_score: text.includes(word) ? 0.9 : 0.1 })),
  });

test("the reranker decides the order; down or slow, the search does, and the receipt says so", async () => {
  verdict = prefer("blue");
  expect(await ask()).toEqual({ best: "The boiler is blue.", warnings: [] });
  verdict = prefer("nine");
  expect((await ask()).best).toBe("The boiler room opens at nine in winter.");
  verdict = () => new Response("overloaded", { status: 500 });
  const failed = await ask();
  expect(failed.best).toStartWith("The boiler room opens");
  expect(failed.warnings.join()).toContain("not reranked");
  verdict = () => new Promise<Response>(() => {});
  expect((await ask()).warnings.join()).toContain("models.reranker.timeoutMs");
});
