import type { EmbeddingModel } from "../../providers/contract.ts";
import type { IndexDescription, IndexInfo } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import { fittedTo, isMadeBy } from "./index-model.ts";

/** The embedding models of the search indexes: the configured one, and the one of an earlier configuration. */
export interface IndexModels {
  /** Whether the configured model made the index. */
  isConfigured(index: IndexDescription): boolean;
  /** The model of an index; null if the configuration no longer reaches it. */
  of(index: IndexInfo): EmbeddingModel | null;
  /** Makes the model of an index that another configuration made, if the present one still reaches it. */
  find(index: IndexInfo): Promise<void>;
  /** The index is gone: closes the model that was made for it. */
  forget(index: IndexInfo): void;
  close(): void;
}

export interface IndexModelsOptions {
  /** The model that the configuration names. */
  configured: EmbeddingModel;
  /** `models.embedding.dimensions`: null takes the model's. */
  dimensions: number | null;
  /** Makes the model of an index that `configured` did not make; null if the configuration does not reach it. */
  makeIndexModel(index: IndexInfo): Promise<EmbeddingModel | null>;
  log: Logger;
}

export const createIndexModels = ({ configured, dimensions, makeIndexModel, log }: IndexModelsOptions): IndexModels => {
  const models = new Map<string, EmbeddingModel | null>();
  let former: EmbeddingModel | null = null;
  const isConfigured = (index: IndexDescription): boolean => isMadeBy(index, configured, dimensions);
  return {
    isConfigured,
    of(index) {
      const known = models.get(index.id);
      if (known !== undefined) return known;
      const model = isConfigured(index) ? fittedTo(index, configured) : null;
      models.set(index.id, model);
      return model;
    },
    async find(index) {
      former = await makeIndexModel(index).catch((failure: unknown) => {
        log.warn({ model: index.model, err: failure }, "the model of the search index cannot be used");
        return null;
      });
      models.set(index.id, former === null ? null : fittedTo(index, former));
    },
    forget(index) {
      models.delete(index.id);
      former?.close?.();
      former = null;
    },
    close: () => former?.close?.(),
  };
};
