import type { Config } from "../config/schema.ts";
import { createStaticEmbedding } from "./builtin/static/embedding.ts";
import type { ChatModel, EmbeddingModel, Reranker } from "./contract.ts";
import { createFusionWeight } from "./embedding/fusion-weight.ts";
import { prefixesIn } from "./embedding/prefixes.ts";
import { createOllamaChat } from "./ollama/chat.ts";
import { createOllamaEmbedding } from "./ollama/embedding.ts";
import { createOpenAiChat } from "./openai/chat.ts";
import { createOpenAiEmbedding } from "./openai/embedding.ts";
import { createReranker } from "./openai/reranker.ts";
import { learnTokens } from "./tokens/learn-tokens.ts";

/** The model that the configuration names, which config/load.ts has made sure of. */
const named = (model: string | null, key: string): string => {
  if (model === null) throw new Error(`${key}.model is not set`);
  return model;
};

/** Makes the built-in MiniLM; where it runs and what it runs on is the program's to say. */
export type MakeMiniLm = () => Promise<EmbeddingModel>;

/** The configured embedder. */
export const createEmbeddingModel = async (
  settings: Config["models"]["embedding"],
  makeMiniLm: MakeMiniLm,
): Promise<EmbeddingModel> => {
  if (settings.provider === "builtin") return settings.model === "minilm" ? makeMiniLm() : createStaticEmbedding();
  const model = named(settings.model, "models.embedding");
  const create = settings.provider === "ollama" ? createOllamaEmbedding : createOpenAiEmbedding;
  return create(settings, model, await createFusionWeight(model));
};

/** An index's model as the store describes it. */
interface IndexModel {
  provider: string;
  model: string;
  dimensions: number;
  modelRevision: string;
}

/**
 * The model that an index was made with, where the configuration as it stands still reaches it: a built-in one always,
 * another if it is of the configured provider, at its address and with its key. Null where it does not.
 */
export const createIndexModel = async (
  settings: Config["models"]["embedding"],
  index: IndexModel,
  makeMiniLm: MakeMiniLm,
): Promise<EmbeddingModel | null> => {
  if (index.provider === "builtin") {
    const builtin = { ...settings, provider: "builtin" as const, model: index.model };
    const model = await createEmbeddingModel(builtin, makeMiniLm);
    // Another revision's vectors do not compare with those in the index.
    return model.model === index.model && (model.revision ?? "") === index.modelRevision ? model : null;
  }
  const prefixes = prefixesIn(index.modelRevision);
  if (index.provider !== settings.provider || prefixes === null) return null;
  const of = (dimensions: number | null) =>
    createEmbeddingModel(
      {
        ...settings,
        model: index.model,
        dimensions,
        contextTokens: null,
        queryPrefix: prefixes.query,
        documentPrefix: prefixes.document,
      },
      makeMiniLm,
    );
  return ofLength(index.dimensions, await of(null), await of(index.dimensions));
};

/** A model asked for shorter vectors than its own only where it must be: some servers refuse the wish itself. */
const ofLength = (length: number, natural: EmbeddingModel, cut: EmbeddingModel): EmbeddingModel => ({
  ...natural,
  dimensions: async () => length,
  embed: async (texts, kind, signal) =>
    ((await natural.dimensions(signal)) === length ? natural : cut).embed(texts, kind, signal),
});

/** The configured chat model, or null where answers are quoted (`builtin`). */
export const createAnswerModel = (settings: Config["models"]["answer"]): ChatModel | null => {
  if (settings.provider === "builtin") return null;
  const model = named(settings.model, "models.answer");
  return learnTokens(
    settings.provider === "ollama" ? createOllamaChat(settings, model) : createOpenAiChat(settings, model),
  );
};

/** The configured reranker, or null. */
export const createRerankerModel = (settings: Config["models"]["reranker"]): Reranker | null => {
  if (settings.provider === "none") return null;
  if (settings.baseUrl === null) throw new Error("models.reranker.baseUrl is not set");
  return createReranker(settings, settings.baseUrl, named(settings.model, "models.reranker"));
};
