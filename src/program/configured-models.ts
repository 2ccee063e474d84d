import type { Config } from "../../config/schema.ts";
import type { EmbeddingModel } from "../../providers/contract.ts";
import { createAnswerModel, createEmbeddingModel, createRerankerModel } from "../../providers/registry.ts";
import { CommandFailure } from "../domain/command-failure.ts";
import type { CheckedModels } from "../models/check-models.ts";
import { workerUrl } from "../system/worker-url.ts";
import type { EmbeddedParts } from "./embedded-parts.ts";

/**
 * The built-in MiniLM as the program runs it.
 * @param runtimeFolder where its native part is unpacked
 */
export const createMiniLm = async (
  { models }: Pick<Config, "models">,
  runtimeFolder: string,
  embedded: EmbeddedParts | null,
): Promise<EmbeddingModel> => {
  const { createMiniLmEmbedding } = await import("../../providers/builtin/minilm/embedding.ts");
  const { unsupported } = await import("../../providers/builtin/minilm/runtime.ts");
  if (embedded !== null && embedded.onnxRuntime === null)
    throw new CommandFailure(unsupported(`${process.platform} ${process.arch}`));
  const { threads, timeoutMs } = models.embedding;
  return createMiniLmEmbedding({
    threads,
    timeoutMs,
    runtime: embedded?.onnxRuntime ?? null,
    runtimeFolder,
    workerUrl: workerUrl("providers/builtin/minilm/worker.ts"),
  });
};

/** The configured models to be checked, each created when it is needed. */
export const configuredModels = (
  config: Pick<Config, "models">,
  runtimeFolder: string,
  embedded: EmbeddedParts | null,
): CheckedModels => ({
  config,
  createAnswer: () => createAnswerModel(config.models.answer),
  createEmbedding: () =>
    createEmbeddingModel(config.models.embedding, () => createMiniLm(config, runtimeFolder, embedded)),
  createReranker: () => createRerankerModel(config.models.reranker),
});
