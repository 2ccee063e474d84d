import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { isSameForDocuments } from "../../providers/embedding/prefixes.ts";
import type { IndexDescription, IndexInfo } from "../domain/records.ts";

/** Where an index stands to a model that the configuration names. `dimensions`: as configured, null takes what the model gives. */
export const isMadeBy = (
  index: IndexDescription,
  { provider, model, revision }: EmbeddingModel,
  dimensions: number | null,
): boolean =>
  index.provider === provider &&
  index.model === model &&
  isSameForDocuments(index.modelRevision ?? "", revision ?? "") &&
  (dimensions === null || index.dimensions === 0 || index.dimensions === dimensions);

/** True where vectors of the one index are as good in the other. */
export const haveSameVectors = (one: IndexInfo, other: IndexInfo): boolean =>
  one.provider === other.provider &&
  one.model === other.model &&
  isSameForDocuments(one.modelRevision, other.modelRevision) &&
  one.dimensions === other.dimensions;

/**
 * The model for one index: gives vectors of its length or fails. A model may have been replaced under its name.
 * @throws ProviderError bad_answer where the length is another
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
      `model \`${model.model}\` gives vectors of ${wrong.length} numbers, and the search index was made with ${index.dimensions}: start Carrel again, and the index is built anew`,
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
    `model \`${model.model}\` of ${model.provider} does not tell the length of its vectors: set models.embedding.dimensions`,
  );
};
