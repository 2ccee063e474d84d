import type { Config } from "../../config/schema.ts";
import { prepareOnnxRuntime } from "../../providers/builtin/minilm/runtime.ts";
import { memoryLimit } from "../system/memory-limit.ts";
import type { EmbeddedParts } from "./embedded-parts.ts";

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
