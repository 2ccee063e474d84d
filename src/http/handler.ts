import { createInFlight, type Holder } from "../async/in-flight.ts";
import type { Principal } from "../domain/records.ts";
import { networkOf, pathPrefixOf } from "../domain/web-address.ts";
import { noSpan } from "../tracing/tracer.ts";
import { baseUrlOf, createClientFinder } from "./client-address.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Frame, type HttpDependencies, requestIdOf, setFrame, splitUrl } from "./frame.ts";
import { createLineBudget } from "./line-budget.ts";
import { problemResponse } from "./problem.ts";
import { clientWentAway, isHealthPath, isProbe, noteRequest, recordRequest } from "./request-log.ts";
import { createGarbageCollection, createRequestRoom } from "./request-room.ts";
import { createRouter, type Extension } from "./router.ts";
import { corsHeaders, sharedHeaders, withHeaders } from "./shared-headers.ts";
import { untilSent, withoutBody } from "./until-sent.ts";

/** How a request arrived. */
interface Connection {
  /** Address of the other end; null on a Unix socket. */
  peer: string | null;
  /** On the operator's socket: who the request acts as. It needs no key. */
  operator: Principal | null;
  /** Lifts the connection's idle time limit while a body is received and an answer is made. */
  keepOpen(): void;
  /** Restores the limit, before the end of the answer is sent: a longer one where a slow client still takes a long answer. */
  letGo?(isLong: boolean): void;
}

/** Answers a request, whatever it is; never rejects. */
export type RequestHandler = (request: Request, connection: Connection) => Promise<Response>;

/**
 * The operations as one function from request to response. Around the router it adds what every answer shares: request
 * id, security and CORS headers, memory accounting, log line and metrics.
 *
 * @param extensions further routes; their answers get the same headers
 */
export const createRequestHandler = (
  endpoints: readonly Endpoint[],
  deps: HttpDependencies,
  extensions: readonly Extension[] = [],
): RequestHandler => {
  const { config, lifecycle, tracer } = deps;
  const route = createRouter(endpoints, deps, extensions);
  const findClient = createClientFinder(config.server.trustedProxies);
  const collectAfter = createGarbageCollection();
  const inFlight = createInFlight(config.server.maxInFlightBytes);
  const prefix = pathPrefixOf(config.server.baseUrl);
  const room = createRequestRoom();
  const lineBudget = createLineBudget(deps.log);

  const openFrame = (request: Request, connection: Connection, signal: AbortSignal): Frame => {
    const client = findClient(connection.peer, request.headers);
    const frame: Frame = {
      requestId: requestIdOf(request),
      startedAt: performance.now(),
      ...splitUrl(request.url),
      clientAddress: client.address,
      baseUrl: baseUrlOf(config.server, client, request.headers.get("host")),
      operator: connection.operator,
      signal,
      keepOpen: connection.keepOpen,
      held: inFlight.open(() => holderOf(frame)),
      endpoint: null,
      principal: null,
      isLogged: () => frame.principal !== null || frame.operator !== null || lineBudget(frame),
      rateHeaders: {},
    };
    setFrame(request, frame);
    return frame;
  };

  return async (received, connection) => {
    const request = withUrl(received, withoutPrefix(wholeUrl(received.url), prefix));
    const abort = new AbortController();
    const end = () => abort.abort(new DOMException("the client went away or the server stops", "AbortError"));
    request.signal.addEventListener("abort", end);
    const frame = openFrame(request, connection, abort.signal);
    const leave = lifecycle.enter(end, {
      requestId: frame.requestId,
      method: request.method,
      startedAt: frame.startedAt,
      route: () => frame.endpoint?.path ?? null,
    });
    const span = isProbe(frame.path)
      ? noSpan
      : tracer.open(request.method, { kind: "server", headers: request.headers });
    let giveBack = (): void => undefined;
    const answered = await span.within(() => {
      try {
        if (connection.operator === null && !isHealthPath(frame.path)) giveBack = room.enter(frame.clientAddress);
      } catch (error) {
        return problemResponse(error, frame.requestId, frame);
      }
      return route(request, frame);
    });
    const response = request.method === "HEAD" ? await withoutBody(answered) : answered;
    const cors = corsHeaders(config, frame.endpoint, request.headers.get("origin"));
    const finished = withHeaders(response, {
      ...sharedHeaders(response, config.server),
      ...frame.rateHeaders,
      ...cors,
      "x-request-id": frame.requestId,
    });
    const isAnswered = lifecycle.signal.aborted || !request.signal.aborted;
    const status = isAnswered ? finished.status : clientWentAway;
    recordRequest(request, frame, status, deps);
    noteRequest(span, request, frame, status);
    return untilSent(finished, span, () => {
      span.end(status >= 500 ? { code: String(status) } : undefined);
      connection.letGo?.(finished.headers.has("content-length"));
      frame.held.release();
      collectAfter(frame.held.peakBytes);
      giveBack();
      leave();
    });
  };
};

/** Whose share of the memory a request takes; over the operator's socket nobody's. */
const holderOf = ({ operator, principal, endpoint, clientAddress }: Frame): Holder | null => {
  if (operator !== null) return null;
  if (principal?.keyId) return { kind: "key", id: principal.keyId };
  return { kind: endpoint?.access === "open" ? "signing in" : "visitor", id: networkOf(clientAddress) };
};

/**
 * Without a usable Host header the URL is a bare path, which neither the router nor `new URL` can read. The router takes
 * the path of an `https:` URL to begin at its host, so that short hosts work: it gets `http:`.
 */
const wholeUrl = (sent: string): string => {
  const fragment = sent.indexOf("#"); // belongs to the client, but reaches Bun's request as it was sent
  const url = fragment === -1 ? sent : sent.slice(0, fragment);
  if (url.startsWith("/")) return `http://localhost${url}`;
  return url.startsWith("https:") ? `http:${url.slice(6)}` : url;
};

/** Some proxies pass the prefix of `server.baseUrl` on, others take it off: paths are the same here with and without it. */
const withoutPrefix = (url: string, prefix: string): string => {
  if (prefix === "") return url;
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start === -1 || !url.startsWith(prefix, start)) return url;
  const rest = url.slice(start + prefix.length);
  if (rest !== "" && !/^[/?]/.test(rest)) return url;
  return `${url.slice(0, start)}${rest.startsWith("/") ? "" : "/"}${rest}`;
};

const withUrl = (request: Request, url: string): Request => (url === request.url ? request : new Request(url, request));
