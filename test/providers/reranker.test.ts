import { expect, test } from "bun:test";
import { createOpenAiReranker } from "../../providers/openai/reranker.ts";
import { serve } from "../serve.ts";
import { failure } from "./chat-conformance.ts";

// Answers as the makers document them: Cohere and Jina, TEI, and one that leaves a passage out.
const answers: Record<string, unknown> = {
  jina: {
    model: "jina",
    results: [
      { index: 1, relevance_score: 0.9 },
      { index: 0, relevance_score: 0.1 },
    ],
  },
  tei: [
    { index: 0, score: 0.2 },
    { index: 1, score: 0.8 },
  ],
  partial: { results: [{ index: 1, relevance_score: 0.9 }] },
  odd: { data: "nothing" },
};
const asked: unknown[] = [];
const server = serve(async (request) => {
  const body = (await request.json()) as { model: string };
  asked.push(body);
  return body.model === "slow" ? new Promise<Response>(() => {}) : Response.json(answers[body.model]);
});

const reranker = (model: string) =>
  createOpenAiReranker(
    { model, baseUrl: null, apiKey: null, timeoutMs: model === "slow" ? 200 : 30_000 },
    `${server.url}/v1/`,
    model,
  );
const never = new AbortController().signal;

test("scores come in the order of the passages, whatever the server's shape", async () => {
  expect(await reranker("jina").rerank("q", ["a", "b"], never)).toEqual([0.1, 0.9]);
  expect(await reranker("tei").rerank("q", ["a", "b"], never)).toEqual([0.2, 0.8]);
  expect(asked[0]).toMatchObject({ model: "jina", query: "q", documents: ["a", "b"], top_n: 2 });
});

test("nothing to score asks nothing", async () => {
  const before = asked.length;
  expect(await reranker("jina").rerank("q", [], never)).toEqual([]);
  expect(asked.length).toBe(before);
});

test("missing scores, odd answers and silence are said", async () => {
  expect((await failure(reranker("partial").rerank("q", ["a", "b"], never))).kind).toBe("bad_answer");
  expect((await failure(reranker("odd").rerank("q", ["a", "b"], never))).kind).toBe("bad_answer");
  expect((await failure(reranker("slow").rerank("q", ["a", "b"], never))).kind).toBe("timeout");
});
