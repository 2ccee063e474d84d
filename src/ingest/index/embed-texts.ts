import type { EmbeddingModel } from "../../../providers/contract.ts";
import type { IndexInfo } from "../../domain/records.ts";

/** Texts given to the model at a time; the progress is reported after each batch. */
const batchSize = 64;

/** An index that is searched or being built. */
export interface LiveIndex {
  index: IndexInfo;
  /** The built-in model; null if it did not make the index. */
  model: EmbeddingModel | null;
}

export interface EmbedOptions {
  signal: AbortSignal;
  /** Called with the number of texts that can be found. */
  onProgress(embedded: number): void;
}

/**
 * Vectors of the texts for each live index that the built-in model makes, by index id. An active index of another model,
 * which an earlier version left, gets null: full text finds the texts until the index is replaced. One that is being
 * built gets no entry.
 * @throws the signal's reason
 */
export const embedTexts = async (
  texts: readonly string[],
  indexes: readonly LiveIndex[],
  { signal, onProgress }: EmbedOptions,
): Promise<Map<string, Float32Array[] | null>> => {
  const vectors = new Map<string, Float32Array[] | null>();
  for (const { index, model } of indexes) {
    if (model !== null) vectors.set(index.id, await embedAll(texts, model, signal, onProgress));
    else if (index.state === "active") vectors.set(index.id, null);
  }
  onProgress(texts.length);
  return vectors;
};

const embedAll = async (
  texts: readonly string[],
  model: EmbeddingModel,
  signal: AbortSignal,
  onProgress: EmbedOptions["onProgress"],
): Promise<Float32Array[]> => {
  const found: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += batchSize) {
    signal.throwIfAborted();
    found.push(...(await model.embed(texts.slice(start, start + batchSize), "document", signal)));
    if (found.length === texts.length) break;
    onProgress(found.length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
};
