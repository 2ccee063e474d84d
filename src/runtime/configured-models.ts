import type { Config } from "../../config/schema.ts";
import type { MiniLmOptions } from "../../providers/builtin/minilm/embedding.ts";
import type { EmbeddingModel } from "../../providers/contract.ts";
import { CommandFailure } from "../domain/errors.ts";
import type { CheckedModels } from "../models/check/check-models.ts";
import { createAnswerModel, createEmbeddingModel, createRerankerModel } from "../models/registry.ts";
import { workerUrl } from "../system/carried-file.ts";
import { chooseBuiltin } from "./choose-builtin.ts";
import type { EmbeddedParts } from "./embedded-parts.ts";

/**
 * The built-in MiniLM as the program runs it.
 * @param settings of which it takes `threads`, `timeoutMs` and `patienceMs`
 * @param runtimeFolder where its native part is unpacked
 */
export const createMiniLm = async (
  settings: Pick<Config["models"]["embedding"], "threads" | "timeoutMs"> & Pick<MiniLmOptions, "patienceMs">,
  runtimeFolder: string,
  embedded: EmbeddedParts | null,
): Promise<EmbeddingModel> => {
  const { createMiniLmEmbedding } = await import("../../providers/builtin/minilm/embedding.ts");
  const { unsupported } = await import("../../providers/builtin/minilm/runtime.ts");
  if (embedded !== null && embedded.onnxRuntime === null)
    throw new CommandFailure(unsupported(`${process.platform} ${process.arch}`));
  const { threads, timeoutMs, patienceMs } = settings;
  return createMiniLmEmbedding({
    threads,
    timeoutMs,
    ...(patienceMs === undefined ? {} : { patienceMs }),
    runtime: embedded?.onnxRuntime ?? null,
    runtimeFolder,
    workerUrl: workerUrl("providers/builtin/minilm/worker.ts"),
  });
};

/**
 * The configured models to be checked, each created when it is needed.
 * @param triesBuiltin see `CheckedModels`
 */
export const configuredModels = (
  config: Pick<Config, "models">,
  runtimeFolder: string,
  embedded: EmbeddedParts | null,
  triesBuiltin: boolean,
): CheckedModels => ({
  config,
  triesBuiltin,
  createAnswer: () => createAnswerModel(config.models.answer),
  async createEmbedding() {
    const { settings } = await chooseBuiltin(config.models.embedding, embedded);
    return createEmbeddingModel(settings, () => createMiniLm(settings, runtimeFolder, embedded));
  },
  createReranker: () => createRerankerModel(config.models.reranker),
});
