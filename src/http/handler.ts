import { Elysia } from "elysia";
import { createInFlight } from "../async/in-flight.ts";
import type { Principal } from "../domain/principal.ts";
import { baseUrlOf, createClientFinder } from "./client-address.ts";
import { createGarbageCollection } from "./collect-garbage.ts";
import { answerOptions, corsHeaders } from "./cors.ts";
import type { HttpDependencies } from "./dependencies.ts";
import { pagePolicy } from "./docs/html-page.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Frame, frameOf, requestIdOf, setFrame, splitUrl } from "./frame.ts";
import { mountEndpoints } from "./mount.ts";
import { notRouted, refuseShadowed } from "./not-routed.ts";
import { createPathLookup } from "./path-lookup.ts";
import { problemResponse } from "./problem.ts";
import { failureOf, stopping } from "./request-failure.ts";
import { untilSent } from "./until-sent.ts";
import { withoutBody } from "./without-body.ts";

/** How a request came in. */
export interface Connection {
  /** Address of the other end; null on a Unix socket. */
  peer: string | null;
  /** On the operator's socket: who it acts as. No key is asked for then. */
  operator: Principal | null;
  /** Lifts the connection's idle time limit while an answer is made. */
  keepOpen(): void;
  /** Puts the limit back, before the answer's end is sent. */
  letGo?(): void;
}

/** Routes that are put on the router beside the operations. */
export interface Extension {
  paths: readonly string[];
  mount(app: Elysia): void;
}

/** Answers a request, whatever it is; never rejects. */
export type RequestHandler = (request: Request, connection: Connection) => Promise<Response>;

/**
 * The operations as one function from request to response. Around the router it adds what every answer shares: request
 * id, security and CORS headers, `405` and `404` problems, refusal while draining, log line and metrics.
 *
 * @param extension further routes, all of them GET; their answers get the same headers
 */
export const createRequestHandler = (
  endpoints: readonly Endpoint[],
  deps: HttpDependencies,
  extension: Extension = { paths: [], mount: () => {} },
): RequestHandler => {
  const { config, lifecycle } = deps;
  const findClient = createClientFinder(config.server.trustedProxies);
  const tidyUpAfter = createGarbageCollection();
  const inFlight = createInFlight(config.server.maxInFlightBytes);
  // A server in a home network is called by names without a dot; the router would miss some routes for them.
  const app = new Elysia({ handler: { standardHostname: false } });
  const endpointsAt = createPathLookup([
    ...endpoints,
    ...extension.paths.map((path) => ({ method: "GET" as const, path, access: "open" as const })),
  ]);
  app.onError(({ code, error, request }) => {
    const frame = frameOf(request);
    const failure = code === "NOT_FOUND" ? notRouted(endpointsAt(frame.path)) : error;
    return problemResponse(failureOf(failure, request, frame, deps), frame.requestId, frame.path, frame.principal);
  });
  mountEndpoints(app, endpoints, deps);
  refuseShadowed(app, endpoints);
  extension.mount(app);

  const answer = async (request: Request, frame: Frame): Promise<Response> => {
    if (lifecycle.state === "draining" && !isHealthPath(frame.path)) {
      return problemResponse(stopping(), frame.requestId, frame.path);
    }
    if (request.method === "OPTIONS") {
      const there = endpointsAt(frame.path);
      const wanted = request.headers.get("access-control-request-method");
      frame.endpoint = there.find(({ method }) => method === wanted) ?? there[0] ?? null;
      if (frame.endpoint !== null) return answerOptions(there, wanted !== null);
    }
    try {
      return await app.fetch(request);
    } catch (error) {
      return problemResponse(failureOf(error, request, frame, deps), frame.requestId, frame.path, frame.principal);
    }
  };

  return async (received, connection) => {
    const request = withWholeUrl(received);
    const { path, search } = splitUrl(request.url);
    const client = findClient(connection.peer, request.headers);
    const abort = new AbortController();
    const end = () => abort.abort(new DOMException("nobody waits for the answer any more", "AbortError"));
    request.signal.addEventListener("abort", end);
    const frame: Frame = {
      requestId: requestIdOf(request),
      startedAt: performance.now(),
      path,
      search,
      clientAddress: client.address,
      baseUrl: baseUrlOf(config.server, client, request.headers.get("host")),
      operator: connection.operator,
      signal: abort.signal,
      keepOpen: connection.keepOpen,
      held: inFlight.open(() => frame.principal === null),
      endpoint: null,
      principal: null,
    };
    setFrame(request, frame);
    const leave = lifecycle.enter(end, {
      requestId: frame.requestId,
      method: request.method,
      startedAt: frame.startedAt,
      route: () => frame.endpoint?.path ?? null,
    });
    const answered = await answer(request, frame);
    const response = request.method === "HEAD" ? await withoutBody(answered) : answered;
    const cors = corsHeaders(config, frame.endpoint, request.headers.get("origin"));
    const finished = withHeaders(response, { ...sharedHeaders(response), ...cors, "x-request-id": frame.requestId });
    const isWaitedFor = lifecycle.signal.aborted || !request.signal.aborted;
    record(request, frame, isWaitedFor ? finished.status : clientWentAway, deps);
    // A file is sent as fast as it is taken: a client that takes nothing need not be waited for.
    if (finished.headers.has("content-length")) connection.letGo?.();
    return untilSent(finished, () => {
      connection.letGo?.();
      frame.held.release();
      tidyUpAfter(frame.held.mostBytes);
      leave();
    });
  };
};

/** In the log and the metrics alone: nobody was there any more to be answered, which is no fault of the server's. */
const clientWentAway = 499;

/** Without a usable Host header the URL is a bare path, which neither the router nor `new URL` can read. */
const withWholeUrl = (request: Request): Request =>
  request.url.startsWith("/") ? new Request(`http://localhost${request.url}`, request) : request;

const isHealthPath = (path: string): boolean => /^\/health\/(?:live|ready)\/?$/.test(path);

/** What every answer carries unless its operation says otherwise. */
const sharedHeaders = ({ headers }: Response): Record<string, string> => {
  const isPage = headers.get("content-type")?.startsWith("text/html") && !headers.has("content-security-policy");
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...(headers.has("cache-control") ? {} : { "cache-control": "no-store" }),
    ...(isPage ? { "content-security-policy": pagePolicy } : {}),
  };
};

const withHeaders = (response: Response, headers: Record<string, string>): Response => {
  for (const [name, value] of Object.entries(headers)) {
    if (name === "vary") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
  return response;
};

/** One log line and one count a request, when the head of its answer is ready. */
const record = (request: Request, frame: Frame, status: number, { log, metrics }: HttpDependencies): void => {
  const elapsedMs = performance.now() - frame.startedAt;
  metrics.countRequest(request.method, frame.endpoint?.path ?? null, status, elapsedMs / 1000);
  const fields = {
    requestId: frame.requestId,
    method: request.method,
    path: frame.path,
    status,
    elapsedMs: Math.round(elapsedMs * 10) / 10,
    client: frame.clientAddress,
    ...(frame.principal?.keyId ? { keyId: frame.principal.keyId } : {}),
  };
  if (isHealthPath(frame.path) || frame.path === "/metrics") log.debug(fields, "request");
  else log.info(fields, "request");
};
