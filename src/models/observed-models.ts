import { type ChatModel, type EmbeddingModel, ProviderError, type Reranker } from "../../providers/contract.ts";
import type { ModelMetrics, ModelUse } from "../metrics/metrics.ts";
import type { OpenSpan, Tracer } from "../tracing/tracer.ts";

/** `unknown`: not called yet. `failing`: its last call failed, and not because of what was asked. */
export type ModelState = "ok" | "failing" | "unknown";

/** How the last call of each configured model ended. No model is called to find out. */
export interface ModelStates {
  note(use: ModelUse, error?: unknown): void;
  /** What the check at the start found; a call since then counts more. */
  noteCheck(use: ModelUse, isUsable: boolean): void;
  /** The models that are configured; built-in ones that cannot fail are left out. */
  list(): { use: ModelUse; state: ModelState }[];
}

/** Failures that say nothing about the model: the caller left, or sent too much. */
const ofTheCall = new Set(["aborted", "too_long"]);

export const createModelStates = (configured: readonly ModelUse[]): ModelStates => {
  const states = new Map<ModelUse, ModelState>(configured.map((use) => [use, "unknown"]));
  return {
    note(use, error) {
      if (!states.has(use)) return;
      if (error === undefined) states.set(use, "ok");
      else if (error instanceof ProviderError && !ofTheCall.has(error.kind)) states.set(use, "failing");
    },
    noteCheck(use, isUsable) {
      if (states.get(use) === "unknown") states.set(use, isUsable ? "ok" : "failing");
    },
    list: () => [...states].map(([use, state]) => ({ use, state })),
  };
};

/** Receives the calls of models. */
interface ModelObserver {
  metrics: ModelMetrics;
  tracer: Tracer;
  states: ModelStates;
}

const named = { answer: "chat", embedding: "embeddings", reranker: "rerank" } as const;

/** A call that begins now; `end` reports how it ended to all listeners. */
const begin = (
  { metrics, tracer, states }: ModelObserver,
  use: ModelUse,
  model: { provider: string; model: string },
) => {
  const startedAt = performance.now();
  const span = tracer.open(`${named[use]} ${model.model}`, { kind: "client" });
  span.note({
    "gen_ai.operation.name": named[use],
    "gen_ai.provider.name": model.provider,
    "gen_ai.request.model": model.model,
  });
  const end = (error?: unknown): void => {
    metrics.countCall(use, model.provider, (performance.now() - startedAt) / 1000, error);
    states.note(use, error);
    span.end(error);
  };
  return { span, end };
};

const observed = async <T>(
  observer: ModelObserver,
  use: ModelUse,
  model: { provider: string; model: string },
  work: () => Promise<T>,
  facts: Parameters<OpenSpan["note"]>[0],
): Promise<T> => {
  const { span, end } = begin(observer, use, model);
  span.note(facts);
  try {
    const result = await span.within(work);
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
};

/** The same model; its calls are counted, timed and traced. */
export const observeEmbedding = (model: EmbeddingModel, observer: ModelObserver): EmbeddingModel => ({
  ...model,
  embed: (texts, kind, signal) =>
    observed(observer, "embedding", model, () => model.embed(texts, kind, signal), { "carrel.texts": texts.length }),
});

export const observeReranker = (model: Reranker, observer: ModelObserver): Reranker => ({
  ...model,
  rerank: (query, passages, signal) =>
    observed(observer, "reranker", model, () => model.rerank(query, passages, signal), {
      "carrel.passages": passages.length,
    }),
});

export const observeChat = (model: ChatModel, observer: ModelObserver): ChatModel => ({
  ...model,
  // Asked before each prompt. Its answer is kept and no call; its failure is one, after which `chat` is not reached.
  async contextTokens(signal) {
    const startedAt = performance.now();
    try {
      return await model.contextTokens(signal);
    } catch (error) {
      observer.metrics.countCall("answer", model.provider, (performance.now() - startedAt) / 1000, error);
      observer.states.note("answer", error);
      throw error;
    }
  },
  async *chat(turns, signal, options) {
    const { span, end } = begin(observer, "answer", model);
    const events = model.chat(turns, signal, options)[Symbol.asyncIterator]();
    let isEnded = false;
    const endOnce = (error?: unknown): void => {
      if (!isEnded) end(error);
      isEnded = true;
    };
    try {
      for (;;) {
        // The generator runs in the caller's context at each step.
        const next = await span.within(() => events.next());
        if (next.done) return;
        const event = next.value;
        if (event.type === "done") {
          const { promptTokens, outputTokens, finishReason } = event;
          observer.metrics.countTokens(promptTokens, outputTokens);
          span.note({
            "gen_ai.response.finish_reasons": [finishReason],
            ...(promptTokens === null ? {} : { "gen_ai.usage.input_tokens": promptTokens }),
            ...(outputTokens === null ? {} : { "gen_ai.usage.output_tokens": outputTokens }),
          });
          endOnce();
        }
        yield event;
      }
    } catch (error) {
      endOnce(error);
      throw error;
    } finally {
      endOnce(leftEarly());
      await events.return?.();
    }
  },
});

/** Left in the middle: the caller went away, or has read enough. */
const leftEarly = (): ProviderError => new ProviderError("answer", "aborted", "the caller left");
