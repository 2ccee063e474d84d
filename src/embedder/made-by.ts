import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { isSameForDocuments } from "../../providers/embedding/prefixes.ts";
import type { VectorSetInfo } from "../domain/records.ts";

/** What made the vectors of a search index or vector set. */
export type Maker = Pick<VectorSetInfo, "provider" | "model" | "dimensions" | "modelRevision">;

/** Whether the model makes such vectors. @param dimensions as configured; null takes the model's */
export const isMadeBy = (
  made: Maker,
  { provider, model, revision }: EmbeddingModel,
  dimensions: number | null,
): boolean =>
  made.provider === provider &&
  made.model === model &&
  isSameForDocuments(made.modelRevision, revision ?? "") &&
  (dimensions === null || made.dimensions === 0 || made.dimensions === dimensions);

/** Whether the vectors of one can be compared with those of the other. */
export const haveSameVectors = (one: Maker, other: Maker): boolean =>
  one.provider === other.provider &&
  one.model === other.model &&
  isSameForDocuments(one.modelRevision, other.modelRevision) &&
  one.dimensions === other.dimensions;

/**
 * The model for vectors that are stored: gives vectors of their length or fails. The server may have another model under
 * the same name by now.
 * @throws ProviderError bad_answer if the length differs
 */
export const fittedTo = (made: Maker, model: EmbeddingModel): EmbeddingModel => ({
  ...model,
  async embed(texts, kind, signal) {
    const vectors = await model.embed(texts, kind, signal);
    const wrong = vectors.find(({ length }) => length !== made.dimensions);
    if (wrong === undefined) return vectors;
    throw new ProviderError(
      "embedding",
      "bad_answer",
      `model \`${model.model}\` gives vectors of ${wrong.length} numbers, and those in the store have ${made.dimensions}: restart Carrel to make them anew`,
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

export const nameOf = ({ provider, model }: Pick<Maker, "provider" | "model">): string => `${model} of ${provider}`;
