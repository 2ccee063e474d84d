import { Counter, Histogram, type Registry } from "prom-client";
import { ProviderError } from "../../providers/contract.ts";

/** Counts the calls of the configured models. */
export interface ModelMetrics {
  /** @param error what the call threw; left out: it succeeded */
  countCall(use: ModelUse, provider: string, seconds: number, error?: unknown): void;
  /** Tokens of an answer as the server counted them; null where it does not say. */
  countTokens(promptTokens: number | null, outputTokens: number | null): void;
}

export type ModelUse = "answer" | "embedding" | "reranker";

export const createModelMetrics = (registry: Registry): ModelMetrics => {
  const registers = [registry];
  const calls = new Counter({
    name: "carrel_model_calls_total",
    help: "Calls of the configured models, by outcome: ok, a kind of failure such as timeout or unreachable, or error.",
    labelNames: ["use", "provider", "outcome"],
    registers,
  });
  const durations = new Histogram({
    name: "carrel_model_call_duration_seconds",
    help: "Seconds until a model's whole answer, failed calls included.",
    labelNames: ["use", "provider"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers,
  });
  const tokens = new Counter({
    name: "carrel_model_tokens_total",
    help: "Tokens of answering models, as their servers count them; a server that does not say adds none.",
    labelNames: ["direction"],
    registers,
  });
  return {
    countCall(use, provider, seconds, error) {
      const outcome = error === undefined ? "ok" : error instanceof ProviderError ? error.kind : "error";
      calls.inc({ use, provider, outcome });
      durations.observe({ use, provider }, seconds);
    },
    countTokens(promptTokens, outputTokens) {
      if (promptTokens !== null) tokens.inc({ direction: "prompt" }, promptTokens);
      if (outputTokens !== null) tokens.inc({ direction: "output" }, outputTokens);
    },
  };
};
