import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ProviderError, type Reranker } from "../contract.ts";
import { brokenAnswer, libraryFailure } from "../http/call-failure.ts";
import type { RerankerSettings } from "../http/provider.ts";
import { type Destination, nameOf } from "../http/provider.ts";
import { createOpenAiOutbound } from "./connection.ts";

const entry = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  relevance_score: Type.Optional(Type.Number()),
  score: Type.Optional(Type.Number()),
});
/** Cohere, Jina, llama.cpp and vLLM answer `{results: […]}`; TEI the bare list. */
const answerSchema = Type.Union([Type.Object({ results: Type.Array(entry) }), Type.Array(entry)]);

/** Scores by a `/rerank` endpoint of the shape that Cohere, Jina, llama.cpp, vLLM and TEI serve. */
export const createOpenAiReranker = (settings: RerankerSettings, baseUrl: string, model: string): Reranker => {
  const outbound = createOpenAiOutbound("reranker", { ...settings, baseUrl });
  return {
    provider: "openai",
    model,
    async rerank(query, passages, signal) {
      if (passages.length === 0) return [];
      let answer: unknown;
      // Limits the whole call, since a question waits for it. It comes a little later than the limit on the silence,
      // which is the one that the circuit breaker counts.
      const limit = AbortSignal.timeout(settings.timeoutMs + 100);
      const either = AbortSignal.any([signal, limit]);
      try {
        const response = await outbound.fetchFor(either)(`${outbound.baseUrl}/rerank`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            ...(outbound.apiKey ? { authorization: `Bearer ${outbound.apiKey.reveal()}` } : {}),
          },
          // TEI calls the passages `texts`.
          body: JSON.stringify({ model, query, documents: passages, texts: passages, top_n: passages.length }),
        });
        answer = await response.json();
      } catch (error) {
        if (limit.aborted && !signal.aborted) throw tooSlow(outbound, error);
        throw libraryFailure(error, outbound, signal);
      }
      if (!Value.Check(answerSchema, answer)) throw brokenAnswer(outbound, "no list of scores");
      const scores = new Array<number>(passages.length).fill(Number.NaN);
      for (const { index, relevance_score, score } of Array.isArray(answer) ? answer : answer.results)
        if (index < scores.length) scores[index] = relevance_score ?? score ?? Number.NaN;
      if (!scores.every(Number.isFinite)) throw brokenAnswer(outbound, "a score is missing for some of the passages");
      return scores;
    },
  };
};

const tooSlow = (outbound: Destination, cause: unknown): ProviderError =>
  new ProviderError(
    "reranker",
    "timeout",
    `${nameOf(outbound)} took longer than ${outbound.timeoutMs} ms: raise models.reranker.timeoutMs if it needs longer`,
    { cause },
  );
