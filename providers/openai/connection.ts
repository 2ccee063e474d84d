import OpenAI from "openai";
import type { ProviderError } from "../contract.ts";
import { modelFailure } from "../http/call-failure.ts";
import { createConfiguredOutbound, type FetchOptions, type Outbound } from "../http/outbound.ts";
import type { ServerSettings } from "../http/provider.ts";
import { addressOf, type Destination } from "../http/provider.ts";

const defaultUrl = "https://api.openai.com/v1";

/** The vendor itself, not a compatible server. */
export const isOfficial = ({ baseUrl }: Pick<Destination, "baseUrl">): boolean =>
  /(^|\.)openai\.com$/.test(new URL(baseUrl).hostname);

/** The outbound side of the OpenAI-compatible server that one section of the configuration names. */
export const createOpenAiOutbound = (service: Destination["service"], settings: ServerSettings): Outbound => {
  const baseUrl = settings.baseUrl ?? defaultUrl;
  const server = isOfficial({ baseUrl })
    ? { name: "OpenAI", start: "check this machine's internet connection" }
    : { name: "The model server", start: "start it" };
  const advice = pathAdvice(baseUrl, service);
  return createConfiguredOutbound(service, settings, baseUrl, {
    server,
    ...(advice === null ? {} : { pathAdvice: advice }),
  });
};

/** The end of an address that was copied with an operation. */
const operationPath = /\/(?:chat\/completions|completions|embeddings|models|responses|rerank)$/;

/** What to change where the server does not know the paths below `baseUrl`; null where it ends as most do. */
const pathAdvice = (baseUrl: string, service: Destination["service"]): string | null => {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/$/, "");
  let base = path.replace(operationPath, "");
  while (base.endsWith("/v1/v1")) base = base.slice(0, -"/v1".length);
  const set = `set models.${service}.baseUrl to ${origin}`;
  if (base !== path && base !== "") return `${set}${base}`;
  if (/\/v\d+(?:beta)?$/.test(base)) return null;
  const ollama = `models.${service}.provider to ollama and its baseUrl to ${origin}`;
  return service === "reranker" ? `${set}${base}/v1` : `${set}${base}/v1 or, if that is Ollama, ${ollama}`;
};

/**
 * A client of the vendor's library for one request: its `fetch` carries the caller's signal and our limits.
 * Environment variables for that library (keys, organization, another address) are ignored on purpose: only Carrel's
 * own settings count.
 */
export const openAiClient = (outbound: Outbound, signal: AbortSignal, options: FetchOptions = {}): OpenAI =>
  new OpenAI({
    baseURL: outbound.baseUrl,
    apiKey: outbound.apiKey?.reveal() ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    // The outbound side limits the silence; this only disables the library's own limit.
    timeout: 24 * 60 * 60 * 1000,
    logLevel: "off",
    fetch: outbound.fetchFor(signal, options),
  });

/** Whatever the library threw, as a ProviderError that names what to change. */
export const openAiFailure = (
  error: unknown,
  outbound: Destination,
  model: string,
  signal: AbortSignal,
): ProviderError => {
  const advice = `correct ${outbound.configKey}.model to one that \`${addressOf(outbound)}/models\` lists`;
  return modelFailure(error, outbound, model, advice, signal);
};

/** One call of the library that is not streamed. Its result is not checked. */
export const answerOf = async (
  outbound: Outbound,
  model: string,
  signal: AbortSignal,
  call: (client: OpenAI) => Promise<unknown>,
  options?: FetchOptions,
): Promise<unknown> => {
  try {
    return await call(openAiClient(outbound, signal, options));
  } catch (error) {
    throw openAiFailure(error, outbound, model, signal);
  }
};
