import type { EmbeddingModel } from "../../providers/contract.ts";
import type { Logger } from "../log/log.ts";
import { fittedTo, isMadeBy, type Maker } from "./made-by.ts";

/** What is stored with vectors: a search index or a vector set. */
export type Made = Maker & { id: string };

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
