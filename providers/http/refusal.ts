import { ProviderError, type ProviderErrorKind } from "../contract.ts";
import type { Destination } from "./outbound.ts";
import { isTooLong, sizesIn } from "./too-long.ts";

/** What a server's own words may take up in one of our messages, in characters. */
const MOST_WORDS = 300;
const MOST_ERROR_BYTES = 64 * 1024;

/** The destination's address without user name, password and query, for messages. */
export const addressOf = (destination: Destination): string => {
  try {
    const url = new URL(destination.baseUrl);
    return `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
  } catch {
    return destination.configKey;
  }
};

/** A page of a proxy or gateway in front of the server: it says nothing of the failure, and holds whatever it likes. */
const isHtml = (text: string): boolean =>
  /<(?:!doctype|!--|\?xml|\/?(?:html|head|body|title|meta|link|script|style|h[1-6]|p|div|span|center|table|pre|a|br|hr)\b)/i.test(
    text,
  );

const HTML_PAGE = "an HTML page, likely of a proxy in between";

/**
 * A text of the far side, shortened, with the key (should the server echo it) taken out. An HTML page is not passed on.
 */
export const quoteServer = (text: string, destination: Destination): string => {
  if (isHtml(text)) return HTML_PAGE;
  const hidden = destination.apiKey ? text.replaceAll(destination.apiKey, "***") : text;
  const flat = hidden.replace(/\s+/g, " ").trim();
  return flat.length > MOST_WORDS ? `${flat.slice(0, MOST_WORDS)}…` : flat;
};

/** The ProviderError behind whatever a vendor's library threw; libraries wrap what their `fetch` throws. */
export const providerErrorIn = (error: unknown): ProviderError | null => {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (current instanceof ProviderError) return current;
    current = current.cause;
  }
  return null;
};

/** The model that is configured is not on the server; `mend` says how to change that. */
export const missingModel = (
  failure: ProviderError,
  destination: Destination,
  model: string,
  mend: string,
  cause: unknown,
): ProviderError =>
  new ProviderError(
    destination.service,
    "model_missing",
    `model \`${model}\` is not on ${addressOf(destination)}: ${mend}`,
    { ...(failure.status === null ? {} : { status: failure.status }), cause },
  );

/** How the server behind a destination is called in messages. */
export const nameOf = (destination: Destination): string =>
  `${destination.server?.name ?? "The model server"} at ${addressOf(destination)}`;

/** What a refusing server says of itself: OpenAI's `{error: {message}}`, Ollama's `{error}`, FastAPI's `{detail}`. */
const wordsOf = (body: string): string => {
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

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). @returns milliseconds, null where absent */
export const retryAfterOf = (headers: Headers): number | null => {
  const value = headers.get("retry-after");
  if (value === null) return null;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
};

const kindOf = (status: number, words: string): ProviderErrorKind => {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404 && /model/i.test(words)) return "model_missing";
  if (status === 429 || status === 503) return "rate_limited";
  if (status === 504 || status === 408) return "timeout";
  return "bad_answer";
};

const adviceFor: Partial<Record<ProviderErrorKind, (configKey: string) => string>> = {
  unauthorized: (key) => `set ${key}.apiKey to a key that this server accepts`,
  model_missing: (key) => `install the model or correct ${key}.model`,
  rate_limited: () => "try again in a moment",
  bad_answer: (key) => `check ${key}.baseUrl and ${key}.model`,
};

/** An answer that is not a 2xx. */
export const refusalOf = async (response: Response, destination: Destination): Promise<ProviderError> => {
  const { service, configKey } = destination;
  if (response.status >= 300 && response.status < 400) {
    const target = quoteServer(response.headers.get("location") ?? "elsewhere", destination);
    const message = `${nameOf(destination)} redirects to ${target}, which is not followed: set ${configKey}.baseUrl to where the server is`;
    return new ProviderError(service, "bad_answer", message, { status: response.status });
  }
  const body = await shortText(response);
  const said = wordsOf(body);
  const isPage = response.headers.get("content-type")?.toLowerCase().startsWith("text/html") === true;
  const words = isPage ? HTML_PAGE : quoteServer(said, destination);
  const tooLong = service !== "parser" && isTooLong(response.status, said);
  const kind = tooLong ? "too_long" : kindOf(response.status, words);
  const advice = adviceFor[kind]?.(configKey);
  const retryAfterMs = retryAfterOf(response.headers);
  return new ProviderError(
    service,
    kind,
    `${nameOf(destination)} answered ${response.status}: ${words}${advice ? ` (${advice})` : ""}`,
    {
      status: response.status,
      serverWords: words,
      sizes: tooLong ? sizesIn(`${said} ${body}`) : null,
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    },
  );
};

const shortText = async (response: Response): Promise<string> => {
  if (!response.body) return response.statusText;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  while (text.length < MOST_ERROR_BYTES) {
    const piece = await reader.read();
    if (piece.done) break;
    text += decoder.decode(piece.value, { stream: true });
  }
  await reader.cancel().catch(() => {});
  return text || response.statusText;
};
