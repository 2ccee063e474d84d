import type { Config } from "../../config/schema.ts";
import type { Secret } from "../../config/secret.ts";
import type { ChatModel, EmbeddingModel, ProviderError, Reranker } from "../contract.ts";

/** Where a provider's calls go, and which part of the configuration to name when they fail. */
export interface Destination {
  service: ProviderError["service"];
  /** Path in the configuration, such as `models.answer`. */
  configKey: string;
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: Secret | null;
  /** Longest silence: until the answer begins, and between two pieces of it. */
  timeoutMs: number;
  /** Further headers of each call, such as the trace that it is a part of. */
  callHeaders?: () => Record<string, string>;
  /** What messages call the server, and how it is started. */
  server?: ServerName;
  /** What to change where the server has no such path, or answers with something else; left out where `baseUrl` looks right. */
  pathAdvice?: string;
}

interface ServerName {
  name: string;
  /** Such as "start it with `ollama serve`". */
  start: string;
}

/** The destination's address without user name, password and query, for messages. */
export const addressOf = (destination: Destination): string => {
  try {
    const url = new URL(destination.baseUrl);
    return `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
  } catch {
    return destination.configKey;
  }
};

/** What messages call the server behind a destination. */
export const nameOf = (destination: Destination): string =>
  `${destination.server?.name ?? "The model server"} at ${addressOf(destination)}`;

/** What a provider of each kind gives to the record in registry.ts. */

type Models = Config["models"];
type CallHeaders = Pick<Destination, "callHeaders">;
export type AnswerSettings = Omit<Models["answer"], "provider"> & CallHeaders;
export type EmbeddingSettings = Omit<Models["embedding"], "provider"> & CallHeaders;
export type RerankerSettings = Omit<Models["reranker"], "provider"> & CallHeaders;
export type ServerSettings = Pick<RerankerSettings, "baseUrl" | "apiKey" | "timeoutMs" | "callHeaders">;

export interface AnswerProvider extends ViewedServer {
  create(settings: AnswerSettings, model: string): ChatModel;
}

export interface EmbeddingProvider extends ViewedServer {
  create(settings: EmbeddingSettings, model: string, fusionWeight: EmbeddingModel["fusionWeight"]): EmbeddingModel;
  /**
   * Longest input in tokens that is assumed where neither the configuration nor the server says it. Left out where the
   * server refuses longer inputs.
   */
  assumedInputTokens?: number;
}

export interface RerankerProvider extends ViewedServer {
  create(settings: RerankerSettings, baseUrl: string, model: string): Reranker;
}

interface ViewedServer {
  /** The configured server as the operator looks at it. */
  view(service: ProviderError["service"], settings: ServerSettings): ServerView;
}

/** What a server says about a model before it is used. */
export interface ModelFacts {
  /** What the model is for; null if the server does not say. */
  kind: "chat" | "embedding" | null;
  /** The context it was made with or is served with, in tokens; null if the server does not say. */
  contextTokens: number | null;
  /** How many parameters it has; null if neither the server nor its name says. */
  parameters: number | null;
  /** What the operator should know about the way it is served; left out if there is nothing. */
  warning?: string;
}

/** A model server as the operator looks at it. */
export interface ServerView {
  /** Without credentials. */
  address: string;
  /** How a missing model gets onto the server, such as "run `ollama pull llama3.2`"; left out if Carrel cannot know. */
  installAdvice?(model: string): string;
  /** True if servers of this kind often do not say what a model is for, so that only a trial shows it. */
  needsTrial: boolean;
  /** Names of the models it offers; null if it has no list. @throws ProviderError */
  offered(signal: AbortSignal): Promise<string[] | null>;
  /** @throws ProviderError model_missing if the server says so */
  factsOf(model: string, signal: AbortSignal): Promise<ModelFacts>;
}
