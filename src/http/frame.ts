import type { Held } from "../async/in-flight.ts";
import type { Principal } from "../domain/principal.ts";
import type { Routed } from "./path-lookup.ts";

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
