import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import type { Logger } from "../log.ts";

/** Failures that may be caused by a single text, such as a vector with NaN. */
const mayBeTheText = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === "bad_answer" || error.kind === "too_long");

/**
 * Vectors of a few stored texts. A text that the model refuses while it accepts others gets a vector of zeros, which no
 * search by vectors finds (full text does): a single text must not hold up the rest.
 * @throws ProviderError if the model refuses everything; the signal's reason
 */
export const embedUnit = async (
  model: EmbeddingModel,
  dimensions: number,
  texts: readonly string[],
  log: Logger,
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  try {
    return await model.embed(texts, "document", signal);
  } catch (error) {
    if (!mayBeTheText(error)) throw error;
  }
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push((await embedAlone(model, text, log, signal)) ?? new Float32Array(dimensions));
  return vectors;
};

/**
 * A server that is failing refuses everything for a while, so a text counts as refused only if a plain sentence is
 * taken between two attempts at it.
 * @returns null if the model refuses the text
 */
const embedAlone = async (
  model: EmbeddingModel,
  text: string,
  log: Logger,
  signal: AbortSignal,
): Promise<Float32Array | null> => {
  for (let attempt = 1; ; attempt++) {
    try {
      const [vector] = await model.embed([text], "document", signal);
      return vector ?? null;
    } catch (error) {
      if (!(error instanceof ProviderError) || !mayBeTheText(error)) throw error;
      await model.embed(["A plain sentence."], "document", signal);
      if (attempt < 2) continue;
      log.warn({ model: model.model, reason: error.message }, "a text that the model refuses has no vector");
      return null;
    }
  }
};
