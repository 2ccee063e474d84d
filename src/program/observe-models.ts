import type { ModelMetrics } from "../metrics/model-metrics.ts";
import { createModelStates, type ModelStates } from "../models/model-states.ts";
import { observeChat, observeEmbedding, observeReranker } from "../models/observed-models.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { Models } from "./create-models.ts";

/** The models with their calls counted, timed and traced. The static table is left as it is: it cannot fail or wait. */
export const observeModels = (
  models: Models,
  metrics: ModelMetrics,
  tracer: Tracer,
): { models: Models; modelStates: ModelStates } => {
  const { configured, answerModel, reranker } = models;
  const states = createModelStates([
    ...(answerModel === null ? [] : (["answer"] as const)),
    ...(configured === null ? [] : (["embedding"] as const)),
    ...(reranker === null ? [] : (["reranker"] as const)),
  ]);
  const observer = { metrics, tracer, states };
  return {
    models: {
      ...models,
      configured: configured && observeEmbedding(configured, observer),
      answerModel: answerModel && observeChat(answerModel, observer),
      reranker: reranker && observeReranker(reranker, observer),
    },
    modelStates: states,
  };
};
