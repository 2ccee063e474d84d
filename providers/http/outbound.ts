import { setTimeout as sleep } from "node:timers/promises";
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleWhen } from "cockatiel";
import { ProviderError, type ProviderErrorKind } from "../contract.ts";
import { connectionFailure, htmlPage, isTooLong, messageIn, quoteServer, sizesIn } from "./call-failure.ts";
import { type Destination, nameOf } from "./provider.ts";
import { type Pace, type Patience, repeatCall } from "./repeat-call.ts";
import { createWatchdog, unlessAborted, watchBody } from "./watch-body.ts";

/**
 * A server that failed this many times in a row is not called, at first for two seconds, then for longer and longer.
 */
const maxFailures = 3;
const restMs = { initialDelay: 2_000, maxDelay: 60_000 };
/** How often, and for how long, a patient call checks whether the rest is over. */
const lookMs = 250;
const maxWaitMs = 8_000;

const restsTheServer = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === "unreachable" || error.kind === "timeout");

/** Stops calls to a failing server for a while. */
interface Circuit {
  /**
   * Does the work unless the server rests.
   * @param mayWait asked again and again: whether this call waits for the end of a short rest
   * @throws ProviderError `unreachable` while the server rests; what the work throws
   */
  run<T>(work: () => Promise<T>, mayWait: () => boolean, signal: AbortSignal): Promise<T>;
}

const createCircuit = (destination: Destination): Circuit => {
  const { service, configKey } = destination;
  const breaker = circuitBreaker(handleWhen(restsTheServer), {
    halfOpenAfter: new ExponentialBackoff(restMs),
    breaker: new ConsecutiveBreaker(maxFailures),
  });
  const lastFailure = (): string => {
    const reason = breaker.lastFailure;
    return reason !== undefined && "error" in reason && reason.error instanceof Error ? reason.error.message : "";
  };
  return {
    async run(work, mayWait, signal) {
      const giveUpAt = Date.now() + Math.min(destination.timeoutMs, maxWaitMs);
      for (;;) {
        try {
          return await breaker.execute(work);
        } catch (error) {
          if (!(error instanceof BrokenCircuitError)) throw error;
        }
        if (!mayWait() || Date.now() >= giveUpAt || signal.aborted) break;
        await sleep(lookMs, undefined, { signal }).catch(() => undefined);
      }
      throw new ProviderError(
        service,
        "unreachable",
        `${configKey}: the server failed ${maxFailures} times in a row and is not called for a moment; its last failure: ${lastFailure()}`,
        { retryAfterMs: restMs.initialDelay },
      );
    },
  };
};

/** How an answer is read. */
export interface FetchOptions {
  /** A stream of lines, each of which counts as progress. Other answers are read whole: see watch-body.ts. */
  isStream?: boolean;
  /** How long repeats may take; `usual` unless given. */
  pace?: Pace;
}

/** The one way out to model and parser servers. */
export interface Outbound extends Destination {
  /**
   * A `fetch` to hand to a vendor's library, bound to the caller's signal: aborts when silent for `timeoutMs`, waits
   * out a 429 or 503 where `Retry-After` fits into that time (a hurried call: into a second), repeats a call whose
   * connection died before an answer began, never follows a redirect (the key and the documents stay where they were
   * sent), reads no more than an answer can have, and throws a ProviderError for everything that is not a 2xx.
   */
  fetchFor(signal: AbortSignal, options?: FetchOptions): typeof fetch;
}

/**
 * The outbound side of one section of the configuration.
 * @param baseUrl the section's own, or the vendor's default if it names none
 */
export const createConfiguredOutbound = (
  service: Destination["service"],
  settings: Pick<Destination, "apiKey" | "timeoutMs" | "callHeaders">,
  baseUrl: string,
  { server, pathAdvice }: Pick<Destination, "server" | "pathAdvice"> = {},
): Outbound =>
  createOutbound({
    service,
    configKey: service === "parser" ? service : `models.${service}`,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey: settings.apiKey,
    // Read at each use: it can change while the server runs.
    get timeoutMs() {
      return settings.timeoutMs;
    },
    ...(settings.callHeaders === undefined ? {} : { callHeaders: settings.callHeaders }),
    ...(server === undefined ? {} : { server }),
    ...(pathAdvice === undefined ? {} : { pathAdvice }),
  });

/** The outbound side of one destination, with a circuit breaker of its own. */
const createOutbound = (destination: Destination): Outbound => {
  const circuit = createCircuit(destination);
  const patience: Patience = { isSpent: false };
  const fetchFor: Outbound["fetchFor"] = (signal, { isStream = false, pace = "usual" } = {}) => {
    const call = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const attempt = async () => {
        const response = await attemptCall(destination, input, init, signal, isStream);
        return isStream ? response : readWhole(response);
      };
      const { timeoutMs } = destination;
      const repeated = () =>
        unlessAborted(repeatCall(attempt, { timeoutMs, pace, patience }, signal), destination, signal);
      const mayWait = () => pace === "patient" && !patience.isSpent;
      return unlessAborted(circuit.run(repeated, mayWait, signal), destination, signal);
    };
    return Object.assign(call, { preconnect: fetch.preconnect });
  };
  return {
    ...destination,
    get timeoutMs() {
      return destination.timeoutMs;
    },
    fetchFor,
  };
};

const readWhole = async (response: Response): Promise<Response> =>
  response.body === null ? response : new Response(await response.arrayBuffer(), { headers: response.headers });

/** An answer that is read whole may take this many times the longest silence. */
const maxSilences = 10;
const maxStreamMs = 6 * 60 * 60 * 1000;

/**
 * Sends one request and gives its answer, with a body that is limited in size and time.
 * @throws ProviderError if the connection fails or the answer is not a 2xx
 */
const attemptCall = async (
  destination: Destination,
  input: string | URL | Request,
  init: RequestInit,
  signal: AbortSignal,
  isStream: boolean,
): Promise<Response> => {
  const silence = new AbortController();
  const signals = [signal, silence.signal, ...(init.signal ? [init.signal] : [])];
  const giveUp = () => silence.abort();
  const watchdog = createWatchdog(destination.timeoutMs, giveUp);
  const whole = setTimeout(giveUp, isStream ? maxStreamMs : maxSilences * destination.timeoutMs);
  const onEnd = () => {
    watchdog.pause();
    clearTimeout(whole);
  };
  const either = AbortSignal.any(signals);
  // A caller that leaves may never read the answer to its end.
  either.addEventListener("abort", onEnd, { once: true });
  let hasBegun = false;
  const translate = (error: unknown) =>
    connectionFailure(error, destination, { isAborted: signal.aborted, isSilent: silence.signal.aborted, hasBegun });
  try {
    watchdog.wait();
    // A Request's body can be read only once, and the call may have to be repeated.
    const response = await fetch(input instanceof Request ? (input.clone() as Request) : input, {
      ...init,
      ...headersOf(destination, input, init),
      redirect: "manual",
      // A server that answered 500 may close the socket without notice; the next call on it would fail.
      keepalive: false,
      signal: either,
      // Bun would give up after 360 s; the watchdog above is the only limit.
      timeout: false,
    } as RequestInit);
    if (!response.ok) throw await refusalOf(response, destination);
    hasBegun = true;
    watchdog.pause();
    watchdog.heard();
    return watchBody(response, { destination, watchdog, isStream, onEnd, translate });
  } catch (error) {
    onEnd();
    throw translate(error);
  }
};

/** The headers that the caller set, with those that belong to each call. */
const headersOf = (
  { callHeaders }: Destination,
  input: string | URL | Request,
  init: RequestInit,
): Pick<RequestInit, "headers"> => {
  const added = Object.entries(callHeaders?.() ?? {});
  if (added.length === 0) return {};
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
  for (const [name, value] of added) headers.set(name, value);
  return { headers };
};

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
const refusalOf = async (response: Response, destination: Destination): Promise<ProviderError> => {
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
