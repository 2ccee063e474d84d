import { Ollama } from "ollama";
import { ProviderError } from "../contract.ts";
import type { Destination, Outbound } from "../http.ts";
import { addressOf, failureOf, missingModel, quoteServer } from "../http-failure.ts";
import { checkedLines } from "./checked-lines.ts";

export const OLLAMA_DEFAULT_URL = "http://127.0.0.1:11434";

/** What `/api/show` says of a model, as far as it is needed. */
export interface OllamaModelFacts {
  capabilities: readonly string[];
  /** Context the model was trained with, in tokens; null where it is not told. */
  trainedContext: number | null;
  /** Context that its Modelfile asks for (`PARAMETER num_ctx`), in tokens; null where it asks for none. */
  wantedContext: number | null;
  /** Length of its embeddings; null where it is not told. */
  embeddingLength: number | null;
  /** Family of its tokenizer: `bert` is WordPiece. */
  tokenizer: string | null;
}

/** A client of the vendor's library for one request: its `fetch` carries the caller's signal and our limits. */
export const ollamaClient = (outbound: Outbound, signal: AbortSignal): Ollama => {
  const send = outbound.fetchFor(signal);
  // The one answer that is read as a stream.
  const checked = async (...request: Parameters<typeof fetch>): Promise<Response> =>
    String(request[0]).endsWith("/api/chat") ? checkedLines(await send(...request), outbound) : send(...request);
  return new Ollama({
    host: outbound.baseUrl,
    fetch: Object.assign(checked, { preconnect: fetch.preconnect }),
    ...(outbound.apiKey ? { headers: { authorization: `Bearer ${outbound.apiKey}` } } : {}),
  });
};

/** Whatever the library threw, as a ProviderError that says how to mend a missing model. */
export const ollamaFailure = (
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
      `run \`ollama pull ${model}\` or correct ${outbound.configKey}.model`,
      error,
    );
  if (error instanceof Error && failure.kind === "unreachable" && failure.cause === error && !isNetworkFault(error))
    // The library throws a plain Error for an error line inside a stream and for a stream without its end.
    return new ProviderError(
      outbound.service,
      "bad_answer",
      `${addressOf(outbound)} broke off its answer: ${quoteServer(error.message, outbound)} (look into the server's log, or check ${outbound.configKey}.baseUrl)`,
      { cause: error },
    );
  return failure;
};

const isNetworkFault = (error: Error): boolean => error instanceof TypeError || "code" in error;

/**
 * Asks the server what the model is and can.
 * @throws ProviderError `model_missing` with the command that installs it
 */
export const showOllamaModel = async (
  outbound: Outbound,
  model: string,
  signal: AbortSignal,
): Promise<OllamaModelFacts> => {
  try {
    const shown = await ollamaClient(outbound, signal).show({ model });
    const info: Record<string, unknown> = Object.fromEntries(Object.entries(shown.model_info ?? {}));
    const architecture = info["general.architecture"];
    const number = (key: string): number | null => {
      const value = info[`${architecture}.${key}`];
      return typeof value === "number" && value > 0 ? value : null;
    };
    const tokenizer = info["tokenizer.ggml.model"];
    return {
      capabilities: shown.capabilities ?? [],
      trainedContext: number("context_length"),
      wantedContext: Number(/^num_ctx\s+(\d+)/m.exec(shown.parameters ?? "")?.[1] ?? 0) || null,
      embeddingLength: number("embedding_length"),
      tokenizer: typeof tokenizer === "string" ? tokenizer : null,
    };
  } catch (error) {
    throw ollamaFailure(error, outbound, model, signal);
  }
};

/** Names of the installed models; `:latest` is left out, as it may be in the configuration. @throws ProviderError */
export const listOllamaModels = async (outbound: Outbound, signal: AbortSignal): Promise<string[]> => {
  try {
    const { models } = await ollamaClient(outbound, signal).list();
    return (models ?? []).map(({ name }) => name.replace(/:latest$/, ""));
  } catch (error) {
    throw ollamaFailure(error, outbound, "", signal);
  }
};
