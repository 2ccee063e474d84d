import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from "cockatiel";
import { ProviderError } from "../contract.ts";
import { attemptCall } from "./attempt-call.ts";
import { calledOff } from "./call-failure.ts";
import { pauseBefore } from "./retries.ts";

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
/** A call that can wait looks so often whether the rest is over, and for so long. */
const REST_LOOK_MS = 250;
const LONGEST_REST_WAITED_FOR_MS = 8_000;
const REST_MS = { initialDelay: 2_000, maxDelay: 60_000 };

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
    const attempt = () => attemptCall(destination, input, init, signal, options.isStream);
    const giveUpAt = Date.now() + Math.min(destination.timeoutMs, LONGEST_REST_WAITED_FOR_MS);
    /** What can wait waits for the end of a short rest. */
    const unlessRested = async (work: () => Promise<Response>): Promise<Response> => {
      for (;;) {
        try {
          return await guard.breaker.execute(work);
        } catch (error) {
          const waits = options.isPatient && !guard.isPatienceSpent && Date.now() < giveUpAt;
          if (!waits || !(error instanceof BrokenCircuitError)) throw error;
          await pause(REST_LOOK_MS, signal, destination);
        }
      }
    };
    try {
      return await unlessRested(() => attempts(destination, guard, attempt, signal, options));
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
      reject(calledOff(destination, signal.reason));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
