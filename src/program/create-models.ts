import type { Config } from "../../config/schema.ts";
import type { ChatModel, EmbeddingModel, Reranker } from "../../providers/contract.ts";
import {
  createAnswerModel,
  createEmbeddingModel,
  createIndexModel,
  createRerankerModel,
} from "../../providers/registry.ts";
import { createMiniLm } from "./configured-models.ts";
import type { EmbeddedParts } from "./embedded-parts.ts";
import type { Parts } from "./parts.ts";

/** The models that the program works with. */
export interface Models {
  embeddings: EmbeddingModel;
  /** The model that an index was made with; null where the configuration no longer reaches it. */
  createIndexModel(index: Parameters<typeof createIndexModel>[1]): ReturnType<typeof createIndexModel>;
  /** Null: answers are quoted from the documents. */
  answerModel: ChatModel | null;
  reranker: Reranker | null;
}

export interface ModelsOptions {
  config: Pick<Config, "models">;
  /** Where native parts are unpacked. */
  runtimeFolder: string;
  embedded: EmbeddedParts | null;
  parts: Pick<Partial<Parts>, "embeddings" | "answerModel" | "reranker">;
}

export const createModels = async ({ config, runtimeFolder, embedded, parts }: ModelsOptions): Promise<Models> => {
  const { embedding, answer, reranker } = config.models;
  const createBuiltin = () => createMiniLm(config, runtimeFolder, embedded);
  return {
    embeddings: parts.embeddings ?? (await createEmbeddingModel(embedding, createBuiltin)),
    createIndexModel: (index) => createIndexModel(embedding, index, createBuiltin),
    answerModel: parts.answerModel === undefined ? createAnswerModel(answer) : parts.answerModel,
    reranker: parts.reranker === undefined ? createRerankerModel(reranker) : parts.reranker,
  };
};
