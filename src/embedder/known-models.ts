import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { isSameForDocuments } from "../../providers/embedding/prefixes.ts";
import type { VectorSetInfo } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";

/** What made the vectors of a search index or vector set. */
type Maker = Pick<VectorSetInfo, "provider" | "model" | "dimensions" | "modelRevision">;

/** Whether the model makes such vectors. @param dimensions as configured; null takes the model's */
const isMadeBy = (made: Maker, { provider, model, revision }: EmbeddingModel, dimensions: number | null): boolean =>
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
const fittedTo = (made: Maker, model: EmbeddingModel): EmbeddingModel => ({
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

/** What is stored with vectors: a search index or a vector set. */
type Made = Maker & { id: string };

/** The models whose vectors the store holds: the built-in one, the configured one, and those of earlier configurations. */
export interface KnownModels {
  /** Whether the built-in static model of this program made the vectors. */
  isBuiltin(made: Maker): boolean;
  /** Whether the configured model made the vectors. */
  isConfigured(made: Maker): boolean;
  /** The model that made the vectors; null if the configuration no longer reaches it. */
  of(made: Made): EmbeddingModel | null;
  /** Makes the model of an earlier configuration, if the present one still reaches it; others are known already. */
  find(made: Made): Promise<void>;
  /** The same for vectors that the configured model seemed to have made, and did not. */
  findFormer(made: Made): Promise<void>;
  /** The vectors are gone: closes the model that was made for them. */
  forget(made: Made): void;
  close(): Promise<void>;
}

export interface KnownModelsOptions {
  builtin: EmbeddingModel;
  /** The model that the configuration names; null if that is the built-in static one. */
  configured: EmbeddingModel | null;
  /** `models.embedding.dimensions`: null takes the model's. */
  dimensions: number | null;
  /** Makes the model of an earlier configuration; null if the present one does not reach it. */
  makeFormerModel(made: Maker): Promise<EmbeddingModel | null>;
  log: Logger;
}

export const createKnownModels = (options: KnownModelsOptions): KnownModels => {
  const { builtin, configured, dimensions, makeFormerModel, log } = options;
  /** By id of what is stored. */
  const fitted = new Map<string, EmbeddingModel>();
  const former = new Map<string, EmbeddingModel>();
  const isBuiltin = (made: Maker): boolean => isMadeBy(made, builtin, null);
  const isConfigured = (made: Maker): boolean => configured !== null && isMadeBy(made, configured, dimensions);

  const makerOf = (made: Made): EmbeddingModel | null => {
    const own = former.get(made.id);
    if (own !== undefined) return own;
    if (isBuiltin(made)) return builtin;
    return isConfigured(made) ? configured : null;
  };

  const findFormer = async (made: Made): Promise<void> => {
    const model = await makeFormerModel(made).catch((failure: unknown) => {
      log.warn({ model: made.model, err: failure }, "a former embedding model cannot be used");
      return null;
    });
    if (model === null) return;
    void former.get(made.id)?.close?.();
    former.set(made.id, model);
    fitted.delete(made.id);
  };

  return {
    isBuiltin,
    isConfigured,
    of(made) {
      const known = fitted.get(made.id);
      if (known !== undefined) return known;
      const maker = makerOf(made);
      if (maker === null) return null;
      const model = fittedTo(made, maker);
      fitted.set(made.id, model);
      return model;
    },
    findFormer,
    async find(made) {
      if (makerOf(made) === null) await findFormer(made);
    },
    forget({ id }) {
      fitted.delete(id);
      void former.get(id)?.close?.();
      former.delete(id);
    },
    async close() {
      for (const model of former.values()) await model.close?.();
    },
  };
};
