import type { Config } from "../../config/schema.ts";
import type { MiniLmOptions } from "../../providers/builtin/minilm/embedding.ts";
import { prepareOnnxRuntime } from "../../providers/builtin/minilm/runtime.ts";
import type { EmbeddingModel } from "../../providers/contract.ts";
import { CommandFailure } from "../domain/errors.ts";
import type { CheckedModels } from "../models/check/check-models.ts";
import { createAnswerModel, createEmbeddingModel, createRerankerModel } from "../models/registry.ts";
import { workerUrl } from "../system/carried-file.ts";
import { memoryLimit } from "../system/memory-limit.ts";
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

type EmbeddingSettings = Config["models"]["embedding"];

/**
 * With less memory than this Carrel stays with the static table: MiniLM takes 110 MB beside LanceDB's caches while it
 * works. A machine sold with 2 GB has a little more than this many bytes.
 */
const enoughBytes = 2_000_000_000;

/** The model that `model: auto` chose. */
interface BuiltinChoice {
  settings: EmbeddingSettings;
  /** True for MiniLM that was chosen by `auto`: if it cannot run, the static table is enough. */
  isOptional: boolean;
  /** Why `auto` is the static table; null if it is not, or was not set. */
  reason: string | null;
}

/**
 * Decides `model: auto`: MiniLM on one thread where the program carries its runtime and may use 2 GB of memory, else
 * the static table. The limit counts, not what is free at the moment, so that every start chooses the same model.
 */
export const chooseBuiltin = async (
  settings: EmbeddingSettings,
  embedded: EmbeddedParts | null,
  limitBytes: number = memoryLimit(),
): Promise<BuiltinChoice> => {
  const isAuto = settings.provider === "builtin" && (settings.model === "auto" || settings.model === null);
  if (!isAuto) return { settings, isOptional: false, reason: null };
  const reason = await reasonAgainst(embedded, limitBytes);
  if (reason !== null) return { settings: { ...settings, model: "static" }, isOptional: false, reason };
  return { settings: { ...settings, model: "minilm", threads: 1 }, isOptional: true, reason };
};

const reasonAgainst = async (embedded: EmbeddedParts | null, limitBytes: number): Promise<string | null> => {
  if (limitBytes < enoughBytes)
    return `there are ${Math.floor(limitBytes / 1e6)} MB of memory, and minilm wants ${enoughBytes / 1e6}`;
  const lacks = `this program has no onnxruntime for ${process.platform} ${process.arch}`;
  if (embedded !== null) return embedded.onnxRuntime === null ? lacks : null;
  return await prepareOnnxRuntime(null, "").then(
    () => null,
    () => lacks,
  );
};
