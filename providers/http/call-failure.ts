import { codeOf, messageOf } from "../../src/domain/errors.ts";
import { type PromptSizes, ProviderError } from "../contract.ts";
import { addressOf, type Destination, nameOf } from "./provider.ts";

/** Statuses with which servers refuse a prompt for its length. */
const refusals = new Set([400, 413, 422, 500]);

/**
 * How servers say that a prompt does not fit: Ollama, OpenAI, vLLM, llama.cpp, llama-cpp-python, LM Studio, TGI and
 * TEI, OpenRouter, Mistral, Cohere and Google.
 */
const tooLong = [
  /context[ _](length|window|size)/i,
  /maximum (context|model) length/i,
  /too many tokens/i,
  /\b(input|prompt|request) (is )?too (long|large)/i,
  /\btoo large for model\b/i,
  /\btokens\W.{0,40}must be <=/i,
  /must have less than \d+ tokens/i,
  /token count .{0,40}exceeds/i,
  /input tokens exceed/i,
  /reduce the length of the (messages|prompt|input)/i,
];

/** Whether a refusal with these words is about the length of what was sent. */
export const isTooLong = (status: number, words: string): boolean =>
  refusals.has(status) && (status === 413 || tooLong.some((pattern) => pattern.test(words)));

const limits = [
  /"n_ctx"\s*:\s*(\d{1,9})/,
  /(\d{1,9}) maximum context length/i,
  /> (\d{1,9}) maximum/i,
  /(?:context (?:length|window|size)|maximum model length)\D{0,24}(\d{1,9})/i,
  /must be <= (\d{1,9})/i,
  /less than (\d{1,9}) tokens/i,
  /cannot exceed (\d{1,9})/i,
  /configured limit of (\d{1,9})/i,
  /tokens allowed \((\d{1,9})\)/i,
];

const prompts = [
  /"n_prompt_tokens"\s*:\s*(\d{1,9})/,
  /(\d{1,9}) (?:in the messages|in your prompt|in the prompt|of text input)/i,
  /(\d{1,9}) `?input(?:s)?`? tokens/i,
  /messages resulted in (\d{1,9})/i,
  /prompt \(length (\d{1,9})\)/i,
  /request \((\d{1,9}) tokens\)/i,
  /prompt (?:is too long:|contains) (\d{1,9})/i,
  /given:\s*(\d{1,9})/i,
  /received (\d{1,9})/i,
  /token count \((\d{1,9})\)/i,
  /requested tokens \((\d{1,9})\)/i,
  // Includes the tokens reserved for the answer; some servers say no more than this.
  /requested (?:about )?(\d{1,9}) tokens/i,
];

const firstOf = (patterns: readonly RegExp[], text: string): number | null => {
  for (const pattern of patterns) {
    const number = Number(pattern.exec(text)?.[1] ?? 0);
    if (number > 0) return number;
  }
  return null;
};

/** The sizes that a refusal names; null if it names none. */
export const sizesIn = (body: string): PromptSizes | null => {
  const text = body.replace(/(\d),(?=\d{3})/g, "$1");
  const limitTokens = firstOf(limits, text);
  const promptTokens = firstOf(prompts, text);
  return limitTokens === null && promptTokens === null ? null : { limitTokens, promptTokens };
};

/** The state of a call when it failed. */
interface CallState {
  /** The caller's signal fired. */
  isAborted: boolean;
  /** The call was ended because the server was silent for too long. */
  isSilent: boolean;
  /** An answer had begun. */
  hasBegun: boolean;
}

/** A connection that failed before an answer or while one was read. */
export const connectionFailure = (error: unknown, destination: Destination, state: CallState): ProviderError => {
  const known = providerErrorIn(error);
  if (known) return known;
  const { service, configKey } = destination;
  if (state.isAborted) return callerLeft(destination, error);
  if (state.isSilent) return silence(destination, error);
  const name = nameOf(destination);
  const code = codeOf(error) ?? "";
  if (brokenProtocol.has(code)) {
    const message = `${name} answered with something that is not HTTP (${code}): check ${configKey}.baseUrl`;
    return new ProviderError(service, "bad_answer", message, { cause: error });
  }
  const reason = reasonOf(code, destination) ?? (code || quoteServer(messageOf(error), destination));
  const message = state.hasBegun
    ? `${name} broke off its answer (${reason}): look into the server's log, or check ${configKey}.baseUrl`
    : `${name} cannot be reached (${reason}): ${connectionAdvice(code, destination)}`;
  return new ProviderError(service, "unreachable", message, { cause: error });
};

/**
 * What a vendor's library threw during a call. Failures of the connection are ProviderErrors already: anything else is
 * about an answer that the library cannot use.
 */
export const libraryFailure = (error: unknown, destination: Destination, signal: AbortSignal): ProviderError => {
  const known = providerErrorIn(error);
  if (known) return known;
  if (signal.aborted) return callerLeft(destination, error);
  const words = messageOf(error);
  // A server that has begun a stream can refuse a prompt only inside it.
  if (!isTooLong(400, words))
    return brokenAnswer(destination, error instanceof SyntaxError ? "it is not JSON" : words, error);
  const serverWords = quoteServer(words, destination);
  return new ProviderError(destination.service, "too_long", `${nameOf(destination)} said: ${serverWords}`, {
    serverWords,
    sizes: sizesIn(words),
    cause: error,
  });
};

/** As `libraryFailure`, for a call of a model. @param advice what to do where the server does not have the model */
export const modelFailure = (
  error: unknown,
  destination: Destination,
  model: string,
  advice: string,
  signal: AbortSignal,
): ProviderError => {
  const failure = libraryFailure(error, destination, signal);
  return failure.kind === "model_missing" ? missingModel(failure, destination, model, advice, error) : failure;
};

/** An answer whose content cannot be used. */
export const brokenAnswer = (destination: Destination, what: string, cause?: unknown): ProviderError =>
  new ProviderError(
    destination.service,
    "bad_answer",
    `${nameOf(destination)} gave an answer that cannot be used: ${quoteServer(what, destination)} (look into the server's log, or ${destination.pathAdvice ?? `check ${destination.configKey}.baseUrl`})`,
    { cause },
  );

/** The caller no longer waits for the answer. */
export const callerLeft = ({ service }: Pick<Destination, "service">, cause: unknown): ProviderError =>
  new ProviderError(service, "aborted", "the caller went away", { cause });

/** The configured model is not on the server. @param advice how to change that */
const missingModel = (
  failure: ProviderError,
  destination: Destination,
  model: string,
  advice: string,
  cause: unknown,
): ProviderError =>
  new ProviderError(
    destination.service,
    "model_missing",
    `model \`${model}\` is not on ${addressOf(destination)}: ${advice}`,
    { ...(failure.status === null ? {} : { status: failure.status }), cause },
  );

/** The ProviderError behind what a vendor's library threw; libraries wrap what their `fetch` throws. */
const providerErrorIn = (error: unknown): ProviderError | null => {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (current instanceof ProviderError) return current;
    current = current.cause;
  }
  return null;
};

/** No text came for the longest silence. */
export const silence = (destination: Destination, cause?: unknown): ProviderError => {
  const seconds = Math.round(destination.timeoutMs / 100) / 10;
  const message = `${nameOf(destination)} was silent for ${seconds} s: raise ${destination.configKey}.timeoutMs if it needs longer, or look for a firewall in between`;
  return new ProviderError(destination.service, "timeout", message, { cause });
};

/** Bun's codes for what cannot be read as an HTTP answer. */
const brokenProtocol = new Set([
  "UnrequestedUpgrade",
  "InvalidHTTPResponse",
  "Malformed_HTTP_Response",
  "InvalidHTTPStatusCode",
  "HTTPHeaderOverflow",
  "ZlibError",
  "BrotliDecompressionError",
  "ZstdDecompressionError",
]);

const reasons: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ConnectionRefused: "connection refused",
  ECONNRESET: "it closed the connection",
  ConnectionClosed: "it closed the connection",
  EPIPE: "it closed the connection",
  EHOSTUNREACH: "no route to it",
  ENETUNREACH: "no route to it",
  ETIMEDOUT: "no answer to the connection",
  EPROTO: "the TLS handshake failed",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is that of another name",
};

const hasNoAddress = (code: string): boolean => code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EAI_NODATA";

/** OpenSSL's names of what is wrong with a chain of certificates. */
const isUntrusted = (code: string): boolean => /SELF_SIGNED|UNABLE_TO_|CERT_(UNTRUSTED|CHAIN)|INVALID_CA/.test(code);

const reasonOf = (code: string, destination: Destination): string | null => {
  if (hasNoAddress(code)) return `the name ${hostOf(destination)} does not resolve`;
  if (isUntrusted(code)) return "its certificate is not trusted here";
  return reasons[code] ?? null;
};

/** In a container, the machine around it and its neighbors have other names. */
const fromContainer = "host.docker.internal for the machine around it, or the name of the other container's service";

/** What to look at, which depends on how far the connection came. */
const connectionAdvice = (code: string, destination: Destination): string => {
  const { configKey, server } = destination;
  const correct = `correct ${configKey}.baseUrl`;
  if (hasNoAddress(code))
    return `${correct}, or look at this machine's DNS; a container knows neither the names of its host nor those of other networks (${fromContainer})`;
  if (isUntrusted(code))
    return "give it a certificate that this machine trusts, or name the file of its authority in NODE_EXTRA_CA_CERTS";
  if (/^(CERT_|ERR_TLS_CERT)/.test(code)) return `renew its certificate, or ${correct} to a name that it is for`;
  if (code === "EPROTO") return `${correct}: it begins with https://, and no TLS answers there`;
  if (["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"].includes(code))
    return `see whether its machine is on and a firewall is in between, or ${correct}`;
  const advice = `${server?.start ?? "start it"} or ${correct}`;
  return isLoopback(hostOf(destination))
    ? `${advice} (in a container, that is the container itself: ${fromContainer})`
    : advice;
};

const hostOf = ({ baseUrl }: Destination): string => {
  try {
    return new URL(baseUrl).hostname;
  } catch {
    return "in it";
  }
};

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127\.\d/.test(host);

/** What a server's own words may take up in one of our messages. */
const maxCharacters = 300;

/** A page of a proxy or gateway in front of the server. It says nothing about the failure and may hold anything. */
const isHtml = (text: string): boolean =>
  /<(?:!doctype|!--|\?xml|\/?(?:html|head|body|title|meta|link|script|style|h[1-6]|p|div|span|center|table|pre|a|br|hr)\b)/i.test(
    text,
  );

/** Quoted in place of an HTML page. */
export const htmlPage = "an HTML page, probably from a proxy in between";

/** A text from the server, shortened and without the API key, should the server echo it. HTML pages are not quoted. */
export const quoteServer = (text: string, destination: Destination): string => {
  if (isHtml(text)) return htmlPage;
  const hidden = destination.apiKey ? text.replaceAll(destination.apiKey.reveal(), "***") : text;
  const flat = hidden.replace(/\s+/g, " ").trim();
  return flat.length > maxCharacters ? `${flat.slice(0, maxCharacters)}…` : flat;
};

/** The message in an error body: OpenAI's `{error: {message}}`, Ollama's `{error}`, FastAPI's `{detail}`. */
export const messageIn = (body: string): string => {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null) return body;
    const { error, detail, message } = parsed as { error?: unknown; detail?: unknown; message?: unknown };
    for (const candidate of [error, detail, message]) {
      if (typeof candidate === "string") return candidate;
      const inner = (candidate as { message?: unknown } | null)?.message;
      if (typeof inner === "string") return inner;
      if (candidate !== undefined && candidate !== null) return JSON.stringify(candidate);
    }
  } catch {
    // Not JSON: an HTML page of a proxy, or plain text.
  }
  return body;
};
