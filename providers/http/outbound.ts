import { attemptCall } from "./attempt-call.ts";
import { createCircuit } from "./circuit.ts";
import type { Destination } from "./destination.ts";
import { type Pace, type Patience, repeatCall } from "./repeat-call.ts";
import { unlessAborted } from "./watchdog.ts";

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
