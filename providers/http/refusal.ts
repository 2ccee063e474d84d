import { ProviderError, type ProviderErrorKind } from "../contract.ts";
import { type Destination, nameOf } from "./destination.ts";
import { htmlPage, messageIn, quoteServer } from "./server-words.ts";
import { isTooLong, sizesIn } from "./too-long.ts";

const maxErrorCharacters = 64 * 1024;

/** Longer waits are not believed, nor passed on to callers. */
const maxRetryAfterMs = 24 * 60 * 60 * 1000;

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). @returns milliseconds, null where absent */
const retryAfterOf = (headers: Headers): number | null => {
  const value = headers.get("retry-after");
  if (value === null) return null;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, maxRetryAfterMs) : null;
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

/** Every answer that is not a 2xx, as an error. */
export const refusalOf = async (response: Response, destination: Destination): Promise<ProviderError> => {
  const { service, configKey } = destination;
  if (response.status >= 300 && response.status < 400) {
    const target = quoteServer(response.headers.get("location") ?? "elsewhere", destination);
    const message = `${nameOf(destination)} redirects to ${target}, which is not followed: set ${configKey}.baseUrl to where the server is`;
    return new ProviderError(service, "bad_answer", message, { status: response.status });
  }
  const body = await beginningOf(response);
  const said = messageIn(body);
  const isPage = response.headers.get("content-type")?.toLowerCase().startsWith("text/html") === true;
  const words = isPage ? htmlPage : quoteServer(said, destination);
  const tooLong = service !== "parser" && isTooLong(response.status, said);
  const kind = tooLong ? "too_long" : kindOf(response.status, words);
  const advice = adviceFor[kind]?.(configKey);
  const retryAfterMs = retryAfterOf(response.headers);
  const isUnknownPath = kind === "bad_answer" && (response.status === 404 || response.status === 405);
  const message =
    isUnknownPath && destination.pathAdvice !== undefined
      ? `has nothing at that path (${response.status}): ${destination.pathAdvice}`
      : `answered ${response.status}: ${words}${advice ? ` (${advice})` : ""}`;
  return new ProviderError(service, kind, `${nameOf(destination)} ${message}`, {
    status: response.status,
    serverWords: words,
    sizes: tooLong ? sizesIn(`${said} ${body}`) : null,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
};

const beginningOf = async (response: Response): Promise<string> => {
  if (!response.body) return response.statusText;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  while (text.length < maxErrorCharacters) {
    const piece = await reader.read();
    if (piece.done) break;
    text += decoder.decode(piece.value, { stream: true });
  }
  await reader.cancel().catch(() => {});
  return text || response.statusText;
};
