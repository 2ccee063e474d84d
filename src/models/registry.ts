import type { Config } from "../../config/schema.ts";
import { createFusionWeight } from "../../providers/builtin/fusion-weight.ts";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import type { ChatModel, EmbeddingModel, Reranker } from "../../providers/contract.ts";
import { prefixesIn } from "../../providers/embedding/prefixes.ts";
import type {
  AnswerProvider,
  AnswerSettings,
  EmbeddingProvider,
  RerankerProvider,
} from "../../providers/http/provider.ts";
import { createOllamaChat } from "../../providers/ollama/chat.ts";
import { viewOllama } from "../../providers/ollama/connection.ts";
import { createOllamaEmbedding } from "../../providers/ollama/embedding.ts";
import { createOpenAiChat } from "../../providers/openai/chat.ts";
import { assumedInputTokens, createOpenAiEmbedding } from "../../providers/openai/embedding.ts";
import { viewOpenAi } from "../../providers/openai/model-list.ts";
import { createOpenAiReranker } from "../../providers/openai/reranker.ts";
import { learnTokens } from "../../providers/tokens/estimate-tokens.ts";

type Models = Config["models"];

/** One entry for each name that config/schema.ts allows; null: built in, or none, without a server. */
export interface Providers {
  answer: Record<Models["answer"]["provider"], AnswerProvider | null>;
  embedding: Record<Models["embedding"]["provider"], EmbeddingProvider | null>;
  reranker: Record<Models["reranker"]["provider"], RerankerProvider | null>;
}

/**
 * The providers that the configuration can name, by kind. A new one is a file, a line here and its name in
 * config/schema.ts; the type accepts neither the line without the name nor the name without the line. Parsers have such
 * a record in src/parse/builtin-parser.ts.
 */
export const providers: Providers = {
  answer: {
    builtin: null,
    ollama: { create: createOllamaChat, view: viewOllama },
    openai: { create: createOpenAiChat, view: viewOpenAi },
  },
  embedding: {
    builtin: null,
    ollama: { create: createOllamaEmbedding, view: viewOllama },
    openai: { create: createOpenAiEmbedding, view: viewOpenAi, assumedInputTokens },
  },
  reranker: {
    none: null,
    openai: { create: createOpenAiReranker, view: viewOpenAi },
  },
};

/** The model that the configuration names; config/checks.ts has made sure that it does. */
const named = (model: string | null, section: string): string => {
  if (model === null) throw new Error(`${section}.model is not set`);
  return model;
};

/** The configured chat model; null if answers are quoted (`builtin`). */
export const createAnswerModel = (settings: Models["answer"]): ChatModel | null =>
  createAnswerModelOf(providers.answer, settings);

/** The chat model of one of these providers. */
export const createAnswerModelOf = <Name extends string>(
  known: Record<Name, AnswerProvider | null>,
  settings: AnswerSettings & { provider: NoInfer<Name> },
): ChatModel | null => {
  const provider = known[settings.provider];
  return provider === null ? null : learnTokens(provider.create(settings, named(settings.model, "models.answer")));
};

/** The configured reranker; null if there is none. */
export const createRerankerModel = (settings: Models["reranker"]): Reranker | null => {
  const provider = providers.reranker[settings.provider];
  if (provider === null) return null;
  if (settings.baseUrl === null) throw new Error("models.reranker.baseUrl is not set");
  return provider.create(settings, settings.baseUrl, named(settings.model, "models.reranker"));
};

/** Makes the built-in MiniLM: the program knows where its parts are. */
type MakeMiniLm = () => Promise<EmbeddingModel>;

/** The embedding model that the settings name; `auto` is decided before (src/runtime/configured-models.ts). */
export const createEmbeddingModel = async (
  settings: Models["embedding"],
  makeMiniLm: MakeMiniLm,
): Promise<EmbeddingModel> => {
  const provider = providers.embedding[settings.provider];
  if (provider === null) return settings.model === "minilm" ? makeMiniLm() : createStaticEmbedding();
  const model = named(settings.model, "models.embedding");
  return provider.create(settings, model, await createFusionWeight(model));
};

/** An index's model as the store describes it. */
interface IndexModel {
  provider: string;
  model: string;
  dimensions: number;
  modelRevision: string;
}

/**
 * The model that an index was made with, if the present configuration still reaches it: always for a built-in one; for
 * another if it belongs to the configured provider, at its address and with its key. Null if it does not.
 */
export const createIndexModel = async (
  settings: Models["embedding"],
  index: IndexModel,
  makeMiniLm: MakeMiniLm,
): Promise<EmbeddingModel | null> => {
  if (index.provider === "builtin") {
    const builtin = { ...settings, provider: "builtin" as const, model: index.model };
    const model = await createEmbeddingModel(builtin, makeMiniLm);
    // Vectors of another revision cannot be compared with those in the index.
    return model.model === index.model && (model.revision ?? "") === index.modelRevision ? model : null;
  }
  const prefixes = prefixesIn(index.modelRevision);
  if (index.provider !== settings.provider || prefixes === null) return null;
  const withDimensions = (dimensions: number | null) =>
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
  return ofLength(index.dimensions, await withDimensions(null), await withDimensions(index.dimensions));
};

/** Asks for shortened vectors only where the model's own have another length: some servers refuse `dimensions`. */
const ofLength = (length: number, natural: EmbeddingModel, shortened: EmbeddingModel): EmbeddingModel => ({
  ...natural,
  dimensions: async () => length,
  embed: async (texts, kind, signal) =>
    ((await natural.dimensions(signal)) === length ? natural : shortened).embed(texts, kind, signal),
});
