import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from "cockatiel";
import { ProviderError } from "./contract.ts";
import { failureOf, refusalOf } from "./http-failure.ts";

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
}

/** The one way out to model and parser servers. */
export interface Outbound extends Destination {
  /**
   * A `fetch` to hand to a vendor's library, bound to the caller's signal: aborts when silent for `timeoutMs`, waits
   * out a 429 or 503 where `Retry-After` fits into that time, repeats a call whose connection died before an answer
   * began, never follows a redirect (the key and the documents stay where they were sent), and throws a
   * ProviderError for everything that is not a 2xx.
   */
  fetchFor(signal: AbortSignal): typeof fetch;
}

/** Failures in a row after which a server is left alone, and for how long (doubling). */
const BREAK_AFTER = 3;
const REST_MS = { initialDelay: 2_000, maxDelay: 60_000 };
const MOST_ATTEMPTS = 3;
/** The largest answer that is read: 2,048 embeddings of 4,096 numbers as JSON text. */
const MOST_ANSWER_BYTES = 256 * 1024 * 1024;

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
): Outbound =>
  createOutbound({
    service,
    configKey: service === "parser" ? service : `models.${service}`,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey,
    timeoutMs,
  });

/** @returns the outbound side of one destination with its own circuit breaker */
export const createOutbound = (destination: Destination): Outbound => {
  const breaker = circuitBreaker(handleWhen(restsTheServer), {
    halfOpenAfter: new ExponentialBackoff(REST_MS),
    breaker: new ConsecutiveBreaker(BREAK_AFTER),
  });
  const guard: Guard = { breaker, lastFailure: "" };
  return { ...destination, fetchFor: (signal) => boundFetch(destination, guard, signal) };
};

/** What lets a failing server rest, and what it failed with: who is turned away meanwhile is told. */
interface Guard {
  breaker: CircuitBreakerPolicy;
  lastFailure: string;
}

const boundFetch = (destination: Destination, guard: Guard, signal: AbortSignal): typeof fetch => {
  const call = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    try {
      return await guard.breaker.execute(() => attempts(destination, input, init, signal));
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

const attempts = async (
  destination: Destination,
  input: string | URL | Request,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Response> => {
  const giveUpAt = Date.now() + destination.timeoutMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await oneAttempt(destination, input, init, signal);
    } catch (error) {
      const pauseMs = error instanceof ProviderError ? pauseBefore(error, attempt) : null;
      if (pauseMs === null || attempt >= MOST_ATTEMPTS || Date.now() + pauseMs >= giveUpAt) throw error;
      await pause(pauseMs, signal, destination.service);
    }
  }
};

/** How long to wait before trying again, or null where trying again is wrong. */
const pauseBefore = (error: ProviderError, attempt: number): number | null => {
  if (error.kind === "rate_limited") return error.retryAfterMs ?? 500 * 2 ** attempt;
  // Nothing was answered yet, and asking a model twice changes nothing: a pooled connection that the server had
  // already closed is the common case.
  if (error.kind === "unreachable" && error.status === null) return attempt === 1 ? 50 : null;
  return null;
};

const pause = (ms: number, signal: AbortSignal, service: ProviderError["service"]): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new ProviderError(service, "aborted", "the caller went away"));
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
): Promise<Response> => {
  const silence = new AbortController();
  const signals = [signal, silence.signal, ...(init.signal ? [init.signal] : [])];
  let watchdog = setTimeout(() => silence.abort(), destination.timeoutMs);
  const heard = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => silence.abort(), destination.timeoutMs);
  };
  const translate = (error: unknown) =>
    failureOf(error, destination, { silent: silence.signal.aborted, aborted: signal.aborted });
  try {
    // A Request's body can be read once only, and the call may have to be repeated.
    const response = await fetch(input instanceof Request ? (input.clone() as Request) : input, {
      ...init,
      redirect: "manual",
      // A server that answered 500 may close the socket without a word; the next call on it would fail.
      keepalive: false,
      signal: AbortSignal.any(signals),
      // Bun gives up after 360 s of its own accord; the watchdog above is the only limit.
      timeout: false,
    } as RequestInit);
    if (!response.ok) throw await refusalOf(response, destination);
    return watched(response, heard, () => clearTimeout(watchdog), translate, destination);
  } catch (error) {
    clearTimeout(watchdog);
    throw translate(error);
  }
};

/** The response with a body that resets the watchdog at each piece and fails as a ProviderError. */
const watched = (
  response: Response,
  heard: () => void,
  done: () => void,
  translate: (error: unknown) => ProviderError,
  destination: Destination,
): Response => {
  if (!response.body) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const piece = await reader.read();
        if (piece.done) {
          done();
          controller.close();
          return;
        }
        bytes += piece.value.byteLength;
        if (bytes > MOST_ANSWER_BYTES)
          throw new ProviderError(destination.service, "bad_answer", `${destination.baseUrl} answered without end`);
        heard();
        controller.enqueue(piece.value);
      } catch (error) {
        done();
        await reader.cancel().catch(() => {});
        controller.error(translate(error));
      }
    },
    async cancel() {
      done();
      await reader.cancel().catch(() => {});
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
};
