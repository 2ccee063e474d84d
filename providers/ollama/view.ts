import { addressOf, type Destination } from "../http/destination.ts";
import { parametersIn } from "../http/json-values.ts";
import type { ServerSettings, ServerView } from "../http/provider.ts";
import { createOllamaOutbound, installAdvice, listOllamaModels, showOllamaModel } from "./connection.ts";

/** An Ollama server as the operator looks at it. */
export const viewOllama = (service: Destination["service"], settings: ServerSettings): ServerView => {
  const outbound = createOllamaOutbound(service, settings);
  return {
    address: addressOf(outbound),
    installAdvice,
    needsTrial: false,
    offered: (signal) => listOllamaModels(outbound, signal),
    async factsOf(model, signal) {
      const { capabilities, trainedContext, parameters } = await showOllamaModel(outbound, model, signal);
      return {
        kind: kindOf(capabilities),
        contextTokens: trainedContext,
        parameters: parameters ?? parametersIn(model),
      };
    },
  };
};

const kindOf = (capabilities: readonly string[]): "chat" | "embedding" | null => {
  if (capabilities.includes("completion")) return "chat";
  return capabilities.includes("embedding") ? "embedding" : null;
};
