import { Ollama } from "ollama";
import { ProviderError } from "../contract.ts";
import { brokenAnswer, modelFailure, quoteServer } from "../http/call-failure.ts";
import { contextIn, nameIn, namesIn, objectIn, parameterCountIn, parametersIn, sizeIn } from "../http/json-values.ts";
import { createConfiguredOutbound, type Outbound } from "../http/outbound.ts";
import type { ServerSettings, ServerView } from "../http/provider.ts";
import { addressOf, type Destination } from "../http/provider.ts";
import type { Pace } from "../http/repeat-call.ts";

/** Of a line: a piece of text with its counts has a few hundred. */
const maxLineCharacters = 4 * 1024 * 1024;

/**
 * A streamed answer in which every line is JSON, or that fails with a ProviderError; empty lines are taken out. The
 * vendor's library would print any other line to the console, private text included, and go on without it.
 */
export const checkedLines = (response: Response, destination: Destination): Response => {
  if (response.body === null) return response;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let line = "";
  const pass = (controller: TransformStreamDefaultController<Uint8Array>, end: "\n" | "" = ""): void => {
    if (line.trim() === "") return;
    if (!isJson(line)) throw notJson(line, destination);
    controller.enqueue(encoder.encode(line + end));
  };
  const checking = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      const [first = "", ...others] = decoder.decode(piece, { stream: true }).split("\n");
      line += first;
      for (const next of others) {
        pass(controller, "\n");
        line = next;
      }
      if (line.length > maxLineCharacters) throw notJson(line, destination);
    },
    flush: (controller) => pass(controller),
  });
  return new Response(response.body.pipeThrough(checking), { status: response.status, headers: response.headers });
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const notJson = (line: string, destination: Destination): ProviderError =>
  new ProviderError(
    destination.service,
    "bad_answer",
    `${addressOf(destination)} did not answer as Ollama does: ${quoteServer(line.slice(0, 1_000), destination)} (check ${destination.configKey}.baseUrl)`,
  );

const defaultUrl = "http://127.0.0.1:11434";

/** What `/api/show` says of a model, as far as it is needed. */
interface OllamaModelFacts {
  capabilities: readonly string[];
  /** Context the model was trained with, in tokens; null if the server does not say. */
  trainedContext: number | null;
  /** Context that its Modelfile asks for (`PARAMETER num_ctx`), in tokens; null if it asks for none. */
  wantedContext: number | null;
  /** Length of its embeddings; null if the server does not say. */
  embeddingLength: number | null;
  /** Family of its tokenizer: `bert` is WordPiece. */
  tokenizer: string | null;
  /** How many parameters it has; null if the server does not say. */
  parameters: number | null;
}

/** The outbound side of the Ollama server that one section of the configuration names. */
export const createOllamaOutbound = (service: Destination["service"], settings: ServerSettings): Outbound =>
  createConfiguredOutbound(service, settings, settings.baseUrl ?? defaultUrl, {
    server: { name: "Ollama", start: "start it with `ollama serve`" },
    pathAdvice: pathAdvice(settings.baseUrl ?? defaultUrl, service),
  });

/** What to change where the server does not know Ollama's paths below `baseUrl`. */
const pathAdvice = (baseUrl: string, service: Destination["service"]): string => {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/$/, "");
  const base = path.replace(/\/(?:v1|api)(?:\/[^/]*){0,2}$/, "");
  if (base !== path) return `set models.${service}.baseUrl to ${origin}${base}, without what follows`;
  return `correct models.${service}.baseUrl or, if that is no Ollama, set models.${service}.provider to openai and its baseUrl to ${origin}${base}/v1`;
};

/** A client of the vendor's library for one request: its `fetch` carries the caller's signal and our limits. */
export const ollamaClient = (outbound: Outbound, signal: AbortSignal, pace: Pace = "usual"): Ollama => {
  const send = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    // The one answer that is read as a stream.
    const isStream = String(input).endsWith("/api/chat");
    const response = await outbound.fetchFor(signal, { isStream, pace })(input, init);
    return isStream ? checkedLines(response, outbound) : response;
  };
  return new Ollama({
    host: outbound.baseUrl,
    fetch: Object.assign(send, { preconnect: fetch.preconnect }),
    ...(outbound.apiKey ? { headers: { authorization: `Bearer ${outbound.apiKey.reveal()}` } } : {}),
  });
};

/** How a missing model gets onto the server. */
export const installAdvice = (model: string): string => `run \`ollama pull ${model}\``;

/** Whatever the library threw, as a ProviderError that says how a missing model gets onto the server. */
export const ollamaFailure = (
  error: unknown,
  outbound: Destination,
  model: string,
  signal: AbortSignal,
): ProviderError =>
  modelFailure(error, outbound, model, `${installAdvice(model)} or correct ${outbound.configKey}.model`, signal);

/**
 * Asks the server what the model is and can.
 * @throws ProviderError `model_missing` with the command that installs it
 */
export const showOllamaModel = async (
  outbound: Outbound,
  model: string,
  signal: AbortSignal,
  pace: Pace = "usual",
): Promise<OllamaModelFacts> => {
  const shown = await answerOf(outbound, model, signal, (client) => client.show({ model }), pace);
  const answer = objectIn(shown);
  if (answer === null) throw brokenAnswer(outbound, "it says nothing about the model");
  const info = objectIn(answer.model_info) ?? {};
  const architecture = info["general.architecture"];
  const tokenizer = info["tokenizer.ggml.model"];
  const { parameters } = answer;
  return {
    capabilities: namesIn(answer.capabilities),
    trainedContext: contextIn(info[`${architecture}.context_length`]),
    wantedContext:
      typeof parameters === "string" ? contextIn(Number(/^num_ctx\s+(\d{1,9})\b/m.exec(parameters)?.[1])) : null,
    embeddingLength: sizeIn(info[`${architecture}.embedding_length`]),
    tokenizer: typeof tokenizer === "string" ? tokenizer : null,
    parameters:
      parameterCountIn(info["general.parameter_count"]) ??
      parametersIn(nameIn(objectIn(answer.details)?.parameter_size) ?? ""),
  };
};

/** Names of the installed models; `:latest` is left out, as it may be in the configuration. @throws ProviderError */
const listOllamaModels = async (outbound: Outbound, signal: AbortSignal): Promise<string[]> => {
  const models = objectIn(await answerOf(outbound, "", signal, (client) => client.list()))?.models;
  // An Ollama without any model answers null.
  if (models !== null && !Array.isArray(models)) throw brokenAnswer(outbound, "no list of models");
  return namesIn(models?.map((entry: unknown) => objectIn(entry)?.name)).map((name) => name.replace(/:latest$/, ""));
};

/** One call of the library that is not streamed. Its result is not checked. */
export const answerOf = async (
  outbound: Outbound,
  model: string,
  signal: AbortSignal,
  call: (client: Ollama) => Promise<unknown>,
  pace: Pace = "usual",
): Promise<unknown> => {
  try {
    return await call(ollamaClient(outbound, signal, pace));
  } catch (error) {
    throw ollamaFailure(error, outbound, model, signal);
  }
};

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
