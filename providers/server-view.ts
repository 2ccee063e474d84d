import type { Config } from "../config/schema.ts";
import type { Destination } from "./http/outbound.ts";
import { addressOf } from "./http/refusal.ts";
import { createOllamaOutbound, listOllamaModels, showOllamaModel } from "./ollama/connection.ts";
import { createOpenAiOutbound } from "./openai/connection.ts";
import { factsInList, listOpenAiModels } from "./openai/model-list.ts";

/** What a server says of a model before it is used. */
export interface ModelFacts {
  /** What the model is for; null where the server does not tell. */
  kind: "chat" | "embedding" | null;
  /** The context it was made with or is served with, in tokens; null where the server does not tell. */
  contextTokens: number | null;
  /** What the operator should know of the way it is served; left out where there is nothing. */
  warning?: string;
}

/** A model server as the operator looks at it. */
export interface ServerView {
  /** Without credentials. */
  address: string;
  /** Names of the models it offers; null where it has no list. @throws ProviderError */
  offered(signal: AbortSignal): Promise<string[] | null>;
  /** @throws ProviderError model_missing where the server says so */
  factsOf(model: string, signal: AbortSignal): Promise<ModelFacts>;
}

type ModelSettings = Pick<Config["models"]["reranker"], "baseUrl" | "apiKey" | "timeoutMs"> & {
  provider: "ollama" | "openai";
};

/** The server behind one of the configured models. */
export const viewServer = (
  service: Destination["service"],
  { provider, baseUrl, apiKey, timeoutMs }: ModelSettings,
): ServerView => {
  const create = provider === "ollama" ? createOllamaOutbound : createOpenAiOutbound;
  const outbound = create(service, { baseUrl, apiKey, timeoutMs });
  const address = addressOf(outbound);
  if (provider === "openai")
    return {
      address,
      offered: async (signal) => (await listOpenAiModels(outbound, signal))?.map(({ id }) => id) ?? null,
      factsOf: async (model, signal) => factsInList(await listOpenAiModels(outbound, signal), model, outbound),
    };
  return {
    address,
    offered: (signal) => listOllamaModels(outbound, signal),
    async factsOf(model, signal) {
      const { capabilities, trainedContext } = await showOllamaModel(outbound, model, signal);
      const kind = capabilities.includes("completion")
        ? "chat"
        : capabilities.includes("embedding")
          ? "embedding"
          : null;
      return { kind, contextTokens: trainedContext };
    },
  };
};
