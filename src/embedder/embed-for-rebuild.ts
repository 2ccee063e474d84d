import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import type { Logger } from "../log.ts";

/** Texts that the model gets at a time. */
const batchSize = 64;

/** Failures that may be caused by a single text, such as a vector with NaN. */
const mayBeTheText = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === "bad_answer" || error.kind === "too_long");

/**
 * Vectors for texts that are already stored. A text that the model refuses while it accepts others gets a vector of
 * zeros, which no search by vectors finds (full text does): a single text must not block the rebuild.
 * @throws ProviderError if the model refuses everything; the signal's reason
 */
export const embedForRebuild = async (
  model: EmbeddingModel,
  dimensions: number,
  texts: readonly string[],
  log: Logger,
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += batchSize) {
    signal.throwIfAborted();
    const batch = texts.slice(start, start + batchSize);
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
  // A model that refuses all of them may refuse everything: then this fails, and the rebuild waits.
  if (refused === texts.length) await model.embed(["A plain sentence."], "document", signal);
  if (refused > 0)
    log.warn({ model: model.model, texts: refused, reason }, "texts that the model refuses have no vectors");
  return vectors;
};
