import { setTimeout } from "node:timers/promises";
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleWhen } from "cockatiel";
import { ProviderError } from "../contract.ts";
import { attemptCall } from "./attempt-call.ts";
import type { Destination } from "./destination.ts";
import { type Pace, type Patience, repeatCall } from "./repeat-call.ts";
import { unlessAborted } from "./watchdog.ts";

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
        await setTimeout(lookMs, undefined, { signal }).catch(() => undefined);
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
