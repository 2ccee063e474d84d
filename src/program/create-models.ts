import type { Config } from "../../config/schema.ts";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import type { ChatModel, EmbeddingModel, Reranker } from "../../providers/contract.ts";
import { isBuiltinStatic } from "../../providers/embedding/prefixes.ts";
import type { Logger } from "../log/log.ts";
import type { ModelMetrics } from "../metrics/metrics.ts";
import {
  createModelStates,
  type ModelStates,
  observeChat,
  observeEmbedding,
  observeReranker,
} from "../models/observed-models.ts";
import { createAnswerModel, createEmbeddingModel, createIndexModel, createRerankerModel } from "../models/registry.ts";
import { chooseBuiltin, createMiniLm } from "../runtime/configured-models.ts";
import type { EmbeddedParts } from "../runtime/embedded-parts.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { Parts } from "./environment.ts";

/** The models that the program works with. */
export interface Models {
  /** The static table, which makes the vectors of the search index. */
  builtin: EmbeddingModel;
  /** The model whose vectors follow; null if the configuration names the static table alone. */
  configured: EmbeddingModel | null;
  /** Whether the configured model was chosen by `auto`, not by name. */
  isOptional: boolean;
  /** The model that made vectors in the store; null where the configuration no longer reaches it. */
  createFormerModel(made: Parameters<typeof createIndexModel>[1]): ReturnType<typeof createIndexModel>;
  /** Null: answers are quoted from the documents. */
  answerModel: ChatModel | null;
  reranker: Reranker | null;
}

interface ModelsOptions {
  config: Pick<Config, "models">;
  /** Where native parts are unpacked. */
  runtimeFolder: string;
  embedded: EmbeddedParts | null;
  parts: Pick<Partial<Parts>, "embeddings" | "answerModel" | "reranker">;
  /** Passes a trace on with each call. */
  tracer: Pick<Tracer, "headers">;
  log: Logger;
}

/** Settings with what passes a trace on. `timeoutMs` is read anew at each use: it can change while the server runs. */
const traced = <T extends { timeoutMs: number }>(settings: T, callHeaders: Tracer["headers"]) => ({
  ...settings,
  get timeoutMs() {
    return settings.timeoutMs;
  },
  callHeaders,
});

export const createModels = async (options: ModelsOptions): Promise<Models> => {
  const { config, runtimeFolder, embedded, parts, log } = options;
  const callHeaders = options.tracer.headers;
  const answer = traced(config.models.answer, callHeaders);
  const reranker = traced(config.models.reranker, callHeaders);
  const { settings: chosen, isOptional, reason } = await chooseBuiltin(config.models.embedding, embedded);
  const settings = { ...chosen, callHeaders };
  if (reason !== null)
    log.info({ reason }, "models.embedding.model auto: the built-in static model is used, without minilm");
  const makeMiniLm = () => createMiniLm(settings, runtimeFolder, embedded);
  const embeddings = parts.embeddings ?? (await createEmbeddingModel(settings, makeMiniLm));
  const isStatic = isBuiltinStatic(embeddings);
  return {
    builtin: isStatic ? embeddings : await createStaticEmbedding(),
    configured: isStatic ? null : embeddings,
    isOptional,
    createFormerModel: (made) => createIndexModel(settings, made, makeMiniLm),
    answerModel: parts.answerModel === undefined ? createAnswerModel(answer) : parts.answerModel,
    reranker: parts.reranker === undefined ? createRerankerModel(reranker) : parts.reranker,
  };
};

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
