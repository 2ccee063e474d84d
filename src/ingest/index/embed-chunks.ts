import type { EmbeddingModel } from "../../../providers/contract.ts";
import { nextTurn } from "../../async/yield.ts";
import type { IndexInfo } from "../../domain/records.ts";
import { embeddingInput } from "../../text/chunk/chunk.ts";
import type { AnalyzedChunk } from "./analyzed-text.ts";

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
 * Vectors of the chunks for each live index that the built-in model makes, by index id. An active index of another model,
 * which an earlier version left, gets null: full text finds the chunks until the index is replaced. One that is being
 * built gets no entry.
 * @throws the signal's reason
 */
export const embedChunks = async (
  chunks: readonly AnalyzedChunk[],
  indexes: readonly LiveIndex[],
  { signal, onProgress }: EmbedOptions,
): Promise<Map<string, readonly (Float32Array | null)[] | null>> => {
  const vectors = new Map<string, readonly (Float32Array | null)[] | null>();
  for (const { index, model } of indexes) {
    if (model?.table !== undefined && chunks.every(({ vector }) => vector !== null)) {
      vectors.set(
        index.id,
        chunks.map(({ vector }) => vector), // made by the analysis thread
      );
    } else if (model !== null) vectors.set(index.id, await embedHere(chunks, model, signal, onProgress));
    else if (index.state === "active") vectors.set(index.id, null);
  }
  onProgress(chunks.length);
  return vectors;
};

const embedHere = async (
  chunks: readonly AnalyzedChunk[],
  model: EmbeddingModel,
  signal: AbortSignal,
  onProgress: EmbedOptions["onProgress"],
): Promise<Float32Array[]> => {
  const found: Float32Array[] = [];
  for (let start = 0; start < chunks.length; start += batchSize) {
    signal.throwIfAborted();
    const inputs = chunks.slice(start, start + batchSize).map(({ chunk }) => embeddingInput(chunk));
    found.push(...(await model.embed(inputs, "document", signal)));
    if (found.length === chunks.length) break;
    onProgress(found.length);
    await nextTurn();
  }
  return found;
};
