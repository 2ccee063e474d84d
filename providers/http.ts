import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from "cockatiel";
import { calledOff, connectionFailure } from "./call-failure.ts";
import { ProviderError } from "./contract.ts";
import { refusalOf } from "./http-failure.ts";
import { pauseBefore } from "./retries.ts";
import { createWatchdog } from "./watchdog.ts";
import { watchedBody } from "./watched-body.ts";

/** Where a provider's calls go, and which part of the configuration to name when they fail. */
export interface Destination {
  service: ProviderError["service"];
  /** Path in the configuration, such as `models.answer`. */
  configKey: string;
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  /** Longest silence: until the answer begins, and between two pieces of it. */
  timeoutMs: number;
  /** What messages call the server, and how it is started. */
  server?: ServerName;
}

export interface ServerName {
  name: string;
  /** Such as "start it with `ollama serve`". */
  start: string;
}

/** How an answer is read. */
export interface FetchOptions {
  /** A stream of lines, each of which counts as a sign of life. Others are read whole: see watched-body.ts. */
  isStream?: boolean;
  /** The call may be made twice and nobody waits for it: it is made again over a 5xx or a dropped connection too. */
  isPatient?: boolean;
}

/** The one way out to model and parser servers. */
export interface Outbound extends Destination {
  /**
   * A `fetch` to hand to a vendor's library, bound to the caller's signal: aborts when silent for `timeoutMs`, waits
   * out a 429 or 503 where `Retry-After` fits into that time, repeats a call whose connection died before an answer
   * began, never follows a redirect (the key and the documents stay where they were sent), reads no more than an answer
   * can have, and throws a ProviderError for everything that is not a 2xx.
   */
  fetchFor(signal: AbortSignal, options?: FetchOptions): typeof fetch;
}

/** Failures in a row after which a server is left alone, and for how long (doubling). */
const BREAK_AFTER = 3;
const REST_MS = { initialDelay: 2_000, maxDelay: 60_000 };
/** Longest time for a whole answer: of one read whole as a multiple of the longest silence, and of a stream. */
const MOST_SILENCES = 10;
const LONGEST_STREAM_MS = 6 * 60 * 60 * 1000;

const restsTheServer = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === "unreachable" || error.kind === "timeout");

/**
 * The outbound side of one section of the configuration.
 * @param baseUrl the section's own, or the vendor's default where it names none
 */
export const createConfiguredOutbound = (
  service: Destination["service"],
  { apiKey, timeoutMs }: Pick<Destination, "apiKey" | "timeoutMs">,
  baseUrl: string,
  server?: ServerName,
): Outbound =>
  createOutbound({
    service,
    configKey: service === "parser" ? service : `models.${service}`,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey,
    timeoutMs,
    ...(server === undefined ? {} : { server }),
  });

/** @returns the outbound side of one destination with its own circuit breaker */
export const createOutbound = (destination: Destination): Outbound => {
  const breaker = circuitBreaker(handleWhen(restsTheServer), {
    halfOpenAfter: new ExponentialBackoff(REST_MS),
    breaker: new ConsecutiveBreaker(BREAK_AFTER),
  });
  const guard: Guard = { breaker, lastFailure: "", isPatienceSpent: false };
  return { ...destination, fetchFor: (signal, options = {}) => boundFetch(destination, guard, signal, options) };
};

/** What lets a failing server rest, and what it failed with: who is turned away meanwhile is told. */
interface Guard {
  breaker: CircuitBreakerPolicy;
  lastFailure: string;
  /** All patience was in vain. Until a call succeeds nobody is made to wait again. */
  isPatienceSpent: boolean;
}

const boundFetch = (
  destination: Destination,
  guard: Guard,
  signal: AbortSignal,
  options: FetchOptions,
): typeof fetch => {
  const call = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    try {
      return await guard.breaker.execute(() =>
        attempts(destination, guard, () => oneAttempt(destination, input, init, signal, options), signal, options),
      );
    } catch (error) {
      if (error instanceof ProviderError && restsTheServer(error)) guard.lastFailure = error.message;
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new ProviderError(
        destination.service,
        "unreachable",
        `${destination.configKey}: the server failed ${BREAK_AFTER} times in a row and is left alone for a moment; at last: ${guard.lastFailure}`,
        { retryAfterMs: REST_MS.initialDelay },
      );
    }
  };
  return Object.assign(call, { preconnect: fetch.preconnect });
};

/** One call, made again where that helps and there is time. What is not a stream has come whole at the end. */
const attempts = async (
  destination: Destination,
  guard: Guard,
  attempt: () => Promise<Response>,
  signal: AbortSignal,
  { isStream = false, isPatient = false }: FetchOptions,
): Promise<Response> => {
  const giveUpAt = Date.now() + destination.timeoutMs;
  for (let tries = 1; ; tries++) {
    try {
      const response = await attempt();
      const isWhole = isStream || response.body === null;
      const whole = isWhole ? response : new Response(await response.arrayBuffer(), { headers: response.headers });
      guard.isPatienceSpent = false;
      return whole;
    } catch (error) {
      const canWait = isPatient && !guard.isPatienceSpent;
      const pauseMs = pauseBefore(error, tries, canWait);
      if (pauseMs === null || Date.now() + pauseMs >= giveUpAt) {
        if (canWait && pauseBefore(error, 1, true) !== null) guard.isPatienceSpent = true;
        throw error;
      }
      await pause(pauseMs, signal, destination);
    }
  }
};

const pause = (ms: number, signal: AbortSignal, destination: Destination): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(calledOff(signal.reason, destination, signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

const oneAttempt = async (
  destination: Destination,
  input: string | URL | Request,
  init: RequestInit,
  signal: AbortSignal,
  options: FetchOptions,
): Promise<Response> => {
  const silence = new AbortController();
  const signals = [signal, silence.signal, ...(init.signal ? [init.signal] : [])];
  const giveUp = () => silence.abort();
  const watchdog = createWatchdog(destination.timeoutMs, giveUp);
  const isStream = options.isStream ?? false;
  const whole = setTimeout(giveUp, isStream ? LONGEST_STREAM_MS : MOST_SILENCES * destination.timeoutMs);
  const onEnd = () => {
    watchdog.pause();
    clearTimeout(whole);
  };
  const either = AbortSignal.any(signals);
  // Whoever leaves may leave the answer unread.
  either.addEventListener("abort", onEnd, { once: true });
  let hasBegun = false;
  const translate = (error: unknown) =>
    connectionFailure(error, destination, { signal, isSilent: silence.signal.aborted, hasBegun });
  try {
    watchdog.wait();
    // A Request's body can be read once only, and the call may have to be repeated.
    const response = await fetch(input instanceof Request ? (input.clone() as Request) : input, {
      ...init,
      redirect: "manual",
      // A server that answered 500 may close the socket without a word; the next call on it would fail.
      keepalive: false,
      signal: either,
      // Bun gives up after 360 s of its own accord; the watchdog above is the only limit.
      timeout: false,
    } as RequestInit);
    if (!response.ok) throw await refusalOf(response, destination);
    hasBegun = true;
    watchdog.pause();
    watchdog.heard();
    return watchedBody(response, { destination, watchdog, isStream, onEnd, translate });
  } catch (error) {
    onEnd();
    throw translate(error);
  }
};
