import type { Config } from "../../config/schema.ts";
import type { Held } from "../async/in-flight.ts";
import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/records.ts";
import type { Rates } from "../limits/rates.ts";
import type { Logger } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { toApiError } from "../models/model-failure.ts";
import type { Store } from "../store/contract.ts";
import type { OpenSpan, Tracer } from "../tracing/tracer.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Routed } from "./path-lookup.ts";
import type { SharedRole } from "./shared-role.ts";

/** What the HTTP kit itself needs: to read bodies, authenticate, answer errors, log and count. */
export interface HttpDependencies {
  config: Config;
  log: Logger;
  store: Store;
  lifecycle: Lifecycle;
  metrics: Metrics;
  rates: Rates;
  tracer: Tracer;
  shared?: SharedRole;
}

/** What belongs to a request, from its first byte to its log line. */
export interface Frame {
  readonly requestId: string;
  /** `performance.now()` at the start. */
  readonly startedAt: number;
  /** Path as sent, without query. */
  readonly path: string;
  /** Query string without `?`. */
  readonly search: string;
  readonly clientAddress: string;
  readonly baseUrl: string;
  /** The caller, where the request came over the operator's socket. */
  readonly operator: Principal | null;
  /** Fires when the client goes away or the drain's deadline has passed. */
  readonly signal: AbortSignal;
  /** Lifts the connection's idle time limit: from here on the operation's own limits apply. */
  readonly keepOpen: () => void;
  /** Memory that the request holds: its body, and texts for its answer. */
  readonly held: Held;
  /** The operation asked for, once routed. */
  endpoint: Routed | null;
  principal: Principal | null;
  /** Whether the log takes a line for it: those of requests without a key are bounded. */
  readonly isLogged: () => boolean;
  /** `RateLimit` headers of the answer. */
  rateHeaders: Record<string, string>;
}

const frames = new WeakMap<Request, Frame>();

/** Elysia passes on only the request: a handler finds the frame by it. */
export const setFrame = (request: Request, frame: Frame): void => {
  frames.set(request, frame);
};

export const frameOf = (request: Request): Frame => {
  const frame = frames.get(request);
  if (frame === undefined) throw new Error("the request did not come through createRequestHandler");
  return frame;
};

/** Path and query of a request's URL as they were sent: `URL` would normalize them. */
export const splitUrl = (url: string): { path: string; search: string } => {
  const pathStart = url.indexOf("/", url.indexOf("://") + 3);
  const target = pathStart === -1 ? "/" : url.slice(pathStart).replace(/#.*$/s, "");
  const queryStart = target.indexOf("?");
  if (queryStart === -1) return { path: target, search: "" };
  return { path: target.slice(0, queryStart), search: target.slice(queryStart + 1) };
};

/** `X-Request-Id` as sent, where it is safe to repeat; else a new id. */
export const requestIdOf = (request: Request): string => {
  const sent = request.headers.get("x-request-id");
  return sent !== null && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : Bun.randomUUIDv7();
};

/**
 * The failure to answer with. Those that concern the operator are logged: unexpected errors with their stack, any other
 * 5xx with code and detail. A client that went away is not logged as a failure.
 */
export const failureOf = (
  error: unknown,
  request: Request,
  frame: Frame,
  { log, lifecycle, store }: Pick<HttpDependencies, "log" | "lifecycle" | "store">,
): ApiError => {
  const fields = { requestId: frame.requestId, method: request.method, path: frame.path };
  if (request.signal.aborted && !lifecycle.signal.aborted) {
    log.debug(fields, "client went away");
    return toApiError(error);
  }
  const known =
    lifecycle.signal.aborted && !(error instanceof ApiError)
      ? stopping()
      : withoutFolder(toApiError(error), frame, store);
  if (!frame.isLogged()) return known;
  if (known.code === "internal") log.error({ ...fields, err: known.cause ?? known }, "request failed");
  else if (known.status >= 500 || known.reason !== null)
    log.warn({ ...fields, code: known.code, detail: known.reason ?? known.message }, "request failed");
  return known;
};

/** Where the data directory is not in its place, that is why something failed in a way nobody foresaw, or is not there. */
const withoutFolder = (error: ApiError, frame: Frame, { condition }: HttpDependencies["store"]): ApiError =>
  error.code === "internal" || (error.status === 404 && frame.principal !== null)
    ? (condition.whyGone() ?? error)
    : error;

/** The answer while the server stops. */
export const stopping = (): ApiError =>
  new ApiError("draining", "The server is stopping: send the request again in a moment.", {
    headers: { "retry-after": "5", connection: "close" },
  });

/** Status in the log and the metrics of a request whose client went away: it is not answered, and no server fault. */
export const clientWentAway = 499;

export const isHealthPath = (path: string): boolean => /^\/health\/(?:live|ready)\/?$/.test(path);

/** Asked for again and again by machines, who need no log line for each. */
export const isProbe = (path: string): boolean => isHealthPath(path) || path === "/metrics";

/** Notes on its span what a request was. */
export const noteRequest = (span: OpenSpan, request: Request, frame: Frame, status: number): void => {
  const route = frame.endpoint?.path;
  if (route !== undefined) span.rename(`${request.method} ${route}`);
  span.note({
    "http.request.method": request.method,
    "http.response.status_code": status,
    "carrel.request.id": frame.requestId,
    ...(route === undefined ? {} : { "http.route": route }),
  });
};

/** Counts a request once, when the head of its answer is ready, and logs it where the log takes a line for it. */
export const recordRequest = (
  request: Request,
  frame: Frame,
  status: number,
  { log, metrics }: Pick<HttpDependencies, "log" | "metrics">,
): void => {
  const elapsedMs = performance.now() - frame.startedAt;
  metrics.countRequest(request.method, frame.endpoint?.path ?? null, status, elapsedMs / 1000);
  const isAsked = isProbe(frame.path);
  if (!isAsked && !frame.isLogged()) return;
  const fields = {
    requestId: frame.requestId,
    method: request.method,
    path: frame.path,
    status,
    elapsedMs: Math.round(elapsedMs * 10) / 10,
    client: frame.clientAddress,
    ...(frame.principal?.keyId ? { keyId: frame.principal.keyId } : {}),
  };
  if (isAsked) log.debug(fields, "request");
  else log.info(fields, "request");
};
