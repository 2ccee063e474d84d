import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { isSameForDocuments } from "../../providers/embedding/prefixes.ts";
import type { IndexDescription, IndexInfo } from "../domain/records.ts";

/** Whether the configured model makes the vectors of an index. @param dimensions as configured; null takes the model's */
export const isMadeBy = (
  index: IndexDescription,
  { provider, model, revision }: EmbeddingModel,
  dimensions: number | null,
): boolean =>
  index.provider === provider &&
  index.model === model &&
  isSameForDocuments(index.modelRevision ?? "", revision ?? "") &&
  (dimensions === null || index.dimensions === 0 || index.dimensions === dimensions);

/** Whether vectors of one index can be used in the other. */
export const haveSameVectors = (one: IndexInfo, other: IndexInfo): boolean =>
  one.provider === other.provider &&
  one.model === other.model &&
  isSameForDocuments(one.modelRevision, other.modelRevision) &&
  one.dimensions === other.dimensions;

/**
 * The model for one index: gives vectors of its length or fails. The server may have another model under the same name
 * by now.
 * @throws ProviderError bad_answer if the length differs
 */
export const fittedTo = (index: IndexInfo, model: EmbeddingModel): EmbeddingModel => ({
  ...model,
  async embed(texts, kind, signal) {
    const vectors = await model.embed(texts, kind, signal);
    const wrong = vectors.find(({ length }) => length !== index.dimensions);
    if (wrong === undefined) return vectors;
    throw new ProviderError(
      "embedding",
      "bad_answer",
      `model \`${model.model}\` gives vectors of ${wrong.length} numbers, and the search index was made with ${index.dimensions}: restart Carrel to rebuild the index`,
    );
  },
});

/**
 * Length of the model's vectors.
 * @throws ProviderError
 */
export const dimensionsOf = async (model: EmbeddingModel, signal: AbortSignal): Promise<number> => {
  const dimensions = await model.dimensions(signal);
  if (Number.isInteger(dimensions) && dimensions > 0) return dimensions;
  throw new ProviderError(
    "embedding",
    "bad_answer",
    `model \`${model.model}\` of ${model.provider} does not say the length of its vectors: set models.embedding.dimensions`,
  );
};
