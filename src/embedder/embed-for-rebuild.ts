import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import type { Logger } from "../log.ts";

/** Texts given to the model at a time. */
const BATCH = 64;

/** Failures that may lie with one text, such as a model that answers it with numbers that are none. */
const mayBeTheText = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === "bad_answer" || error.kind === "too_long");

/**
 * Vectors for texts that are in the store already. A text that the model refuses while it takes others gets a vector
 * of zeros, which is near to nothing (full text finds it): one text must not hold up the change of all.
 * @throws ProviderError where the model fails altogether; the signal's reason
 */
export const embedForRebuild = async (
  model: EmbeddingModel,
  dimensions: number,
  texts: readonly string[],
  log: Logger,
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += BATCH) {
    signal.throwIfAborted();
    const batch = texts.slice(start, start + BATCH);
    try {
      vectors.push(...(await model.embed(batch, "document", signal)));
    } catch (error) {
      if (!mayBeTheText(error)) throw error;
      vectors.push(...(await embedOneByOne(model, dimensions, batch, log, signal)));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return vectors;
};

const embedOneByOne = async (
  model: EmbeddingModel,
  dimensions: number,
  texts: readonly string[],
  log: Logger,
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  const vectors: Float32Array[] = [];
  let refused = 0;
  let reason = "";
  for (const text of texts) {
    try {
      const [vector] = await model.embed([text], "document", signal);
      vectors.push(vector ?? new Float32Array(dimensions));
    } catch (error) {
      if (!(error instanceof ProviderError) || !mayBeTheText(error)) throw error;
      vectors.push(new Float32Array(dimensions));
      reason = error.message;
      refused += 1;
    }
  }
  // A model that takes none of them may take nothing at all: then this fails, and the change waits.
  if (refused === texts.length) await model.embed(["A plain sentence."], "document", signal);
  if (refused > 0)
    log.warn({ model: model.model, texts: refused, reason }, "texts that the model refuses go without vectors");
  return vectors;
};
