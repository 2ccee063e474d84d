import { contextIn, listIn, nameIn, objectIn, parameterCountIn, parametersIn } from "../http/json-values.ts";
import type { Outbound } from "../http/outbound.ts";
import type { ModelFacts, ServerSettings, ServerView } from "../http/provider.ts";
import { addressOf, type Destination } from "../http/provider.ts";
import type { Pace } from "../http/repeat-call.ts";
import { createOpenAiOutbound, isOfficial, openAiClient, openAiFailure } from "./connection.ts";

/** An entry of a server's model list; its other fields differ from server to server. */
type ListedModel = { id: string } & Record<string, unknown>;

/**
 * The models that the server lists; null if it has no list.
 * @throws ProviderError if it cannot be reached, is too busy or refuses the key
 */
const listOpenAiModels = async (
  outbound: Outbound,
  signal: AbortSignal,
  pace: Pace = "usual",
): Promise<ListedModel[] | null> => {
  try {
    const page: object = await openAiClient(outbound, signal, { pace }).models.list();
    // The library's own `data` is an empty list if the answer has none.
    const data = "body" in page ? objectIn(page.body)?.data : null;
    if (!Array.isArray(data)) return null;
    return data.slice(0, maxListed).flatMap((entry: unknown) => {
      const fields = objectIn(entry);
      const id = nameIn(fields?.id);
      return id === null ? [] : [{ ...fields, id }];
    });
  } catch (error) {
    const failure = openAiFailure(error, outbound, "", signal);
    if (["unreachable", "timeout", "rate_limited", "unauthorized", "aborted"].includes(failure.kind)) throw failure;
    return null;
  }
};

/** More entries are ignored; OpenRouter lists some hundreds. */
const maxListed = 10_000;

/** The context in the server's model list; null if it has none there. */
export const listedContext = async (
  outbound: Outbound,
  model: string,
  signal: AbortSignal,
  pace: Pace = "usual",
): Promise<number | null> => factsInList(await listOpenAiModels(outbound, signal, pace), model, outbound).contextTokens;

/** OpenAI's list of models has no context sizes; these are the smallest of each family (its model pages). */
const officialContexts: readonly [RegExp, number][] = [
  [/^text-embedding-/, 8_191],
  [/^gpt-4\.1/, 1_000_000],
  [/^(gpt-5|o[1-9])/, 128_000],
  [/^(gpt-4o|gpt-4-turbo|chatgpt-4o)/, 128_000],
  [/^gpt-4/, 8_192],
  [/^gpt-3\.5-turbo/, 16_385],
];

/** Context of one of the vendor's own models in tokens; null if it is not known. */
export const officialContext = (model: string): number | null =>
  officialContexts.find(([name]) => name.test(model))?.[1] ?? null;

/** What the list says about one model. */
export const factsInList = (
  list: readonly ListedModel[] | null,
  model: string,
  destination: Pick<Destination, "baseUrl">,
): ModelFacts => {
  const entry = list?.find(({ id }) => id === model || id === `${model}:latest`);
  if (entry === undefined) return { kind: null, contextTokens: null, parameters: parametersIn(model) };
  const official = isOfficial(destination);
  return {
    kind: official ? kindByName(model) : kindOf(entry),
    contextTokens: official ? officialContext(model) : contextOf(entry),
    // `meta.n_params` (llama.cpp); else its name.
    parameters: official ? null : (parameterCountIn(objectIn(entry.meta)?.n_params) ?? parametersIn(model)),
    // The namespace of Ollama's own models.
    ...(entry.owned_by === "library" ? { warning: ollamaWarning } : {}),
  };
};

const ollamaWarning =
  "this is Ollama's /v1, which silently cuts long input: set `provider: ollama`, and baseUrl without /v1";

/**
 * `max_model_len` (vLLM), `meta.n_ctx` and `meta.n_ctx_train` (llama.cpp), `max_context_length` (LM Studio),
 * `context_length` (OpenRouter).
 */
const contextOf = (entry: ListedModel): number | null => {
  const meta = objectIn(entry.meta) ?? {};
  for (const value of [
    entry.max_model_len,
    meta.n_ctx,
    meta.n_ctx_train,
    entry.max_context_length,
    entry.context_length,
  ]) {
    const context = contextIn(value);
    if (context !== null) return context;
  }
  return null;
};

/** `type` (LM Studio, Together), `capabilities` (llama.cpp), `architecture.output_modalities` (OpenRouter). */
const kindOf = (entry: ListedModel): ModelFacts["kind"] => {
  const words = [
    entry.type,
    ...listIn(entry.capabilities),
    ...listIn(objectIn(entry.architecture)?.output_modalities),
  ].filter((word) => typeof word === "string");
  if (words.some((word) => /^(llm|vlm|chat|language|completion|text)$/i.test(word))) return "chat";
  return words.some((word) => /^embeddings?$/i.test(word)) ? "embedding" : null;
};

/** The vendor's own list has only names, and they show what the models are for. */
const kindByName = (model: string): ModelFacts["kind"] => {
  if (/embedding/.test(model)) return "embedding";
  return /^(gpt|chatgpt|o\d)/.test(model) ? "chat" : null;
};

/** An OpenAI-compatible server as the operator looks at it. */
export const viewOpenAi = (service: Destination["service"], settings: ServerSettings): ServerView => {
  const outbound = createOpenAiOutbound(service, settings);
  return {
    address: addressOf(outbound),
    needsTrial: true,
    offered: async (signal) => (await listOpenAiModels(outbound, signal))?.map(({ id }) => id) ?? null,
    factsOf: async (model, signal) => factsInList(await listOpenAiModels(outbound, signal), model, outbound),
  };
};
