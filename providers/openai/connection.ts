import OpenAI from "openai";
import { ProviderError } from "../contract.ts";
import type { Destination, Outbound } from "../http.ts";
import { addressOf, failureOf, missingModel, quoteServer } from "../http-failure.ts";

export const OPENAI_DEFAULT_URL = "https://api.openai.com/v1";

/** The vendor itself, not a server that speaks like it. */
export const isOfficial = ({ baseUrl }: Pick<Destination, "baseUrl">): boolean =>
  /(^|\.)openai\.com$/.test(new URL(baseUrl).hostname);

/**
 * A client of the vendor's library for one request: its `fetch` carries the caller's signal and our limits. Whatever
 * the environment holds for that library (keys, organization, another address) is left out on purpose: one file
 * configures Carrel.
 */
export const openAiClient = (outbound: Outbound, signal: AbortSignal): OpenAI =>
  new OpenAI({
    baseURL: outbound.baseUrl,
    apiKey: outbound.apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    // The outbound helper watches the silence; this is only to keep the library's own limit out of the way.
    timeout: 24 * 60 * 60 * 1000,
    logLevel: "off",
    fetch: outbound.fetchFor(signal),
  });

/** Whatever the library threw, as a ProviderError that names what to change. */
export const openAiFailure = (
  error: unknown,
  outbound: Destination,
  model: string,
  signal: AbortSignal,
): ProviderError => {
  const failure = failureOf(error, outbound, { silent: false, aborted: signal.aborted });
  if (failure.kind === "model_missing")
    return missingModel(
      failure,
      outbound,
      model,
      `correct ${outbound.configKey}.model to one that \`${addressOf(outbound)}/models\` lists`,
      error,
    );
  if (error instanceof SyntaxError || error instanceof OpenAI.OpenAIError)
    if (failure.kind === "unreachable" && !(error instanceof OpenAI.APIConnectionError))
      return brokenAnswer(outbound, error.message, error);
  return failure;
};

/** A 200 whose content cannot be used. */
export const brokenAnswer = (outbound: Destination, what: string, cause?: unknown): ProviderError =>
  new ProviderError(
    outbound.service,
    "bad_answer",
    `${addressOf(outbound)} gave an answer that cannot be used: ${quoteServer(what, outbound)} (look into the server's log, or check ${outbound.configKey}.baseUrl)`,
    { cause },
  );
