import { readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";
import type { Config } from "../../config/schema.ts";
import { createInFlight, type Holder } from "../async/in-flight.ts";
import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/records.ts";
import { networkOf, pathPrefixOf } from "../domain/web-address.ts";
import type { Logger } from "../log/log.ts";
import { noSpan } from "../tracing/tracer.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  clientWentAway,
  type Frame,
  type HttpDependencies,
  isHealthPath,
  isProbe,
  noteRequest,
  recordRequest,
  requestIdOf,
  setFrame,
  splitUrl,
} from "./frame.ts";
import { problemResponse } from "./problem.ts";
import { untilSent, withoutBody } from "./respond.ts";
import { createRouter, type Extension } from "./router.ts";
import { corsHeaders, sharedHeaders, withHeaders } from "./shared-headers.ts";
import { versionHeader } from "./shared-role.ts";

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
  const inFlight = createInFlight(config.server.maxInFlightBytes);
  const prefix = pathPrefixOf(config.server.baseUrl);
  const room = createRequestRoom();
  const lineBudget = createLineBudget(deps.log);

  const openFrame = (request: Request, connection: Connection, signal: AbortSignal): Frame => {
    const client = findClient(connection.peer, request.headers);
    const sender = deps.shared?.senderOf(request) ?? null;
    const frame: Frame = {
      requestId: requestIdOf(request),
      startedAt: performance.now(),
      ...splitUrl(request.url),
      clientAddress: sender?.clientAddress ?? client.address,
      baseUrl: baseUrlOf(config.server, client, request.headers.get("host")),
      operator: connection.operator ?? sender?.operator ?? null,
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
        if (frame.operator === null && !isHealthPath(frame.path)) giveBack = room.enter(frame.clientAddress);
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
      ...(deps.shared === undefined ? {} : { [versionHeader]: String(deps.shared.version()) }),
    });
    const isAnswered = lifecycle.signal.aborted || !request.signal.aborted;
    const status = isAnswered ? finished.status : clientWentAway;
    recordRequest(request, frame, status, deps);
    noteRequest(span, request, frame, status);
    return untilSent(finished, span, () => {
      span.end(status >= 500 ? { code: String(status) } : undefined);
      connection.letGo?.(finished.headers.has("content-length"));
      frame.held.release();
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

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The client as trusted proxies describe it. */
interface Client {
  address: string;
  /** As a trusted proxy says; null where none does. */
  protocol: "http" | "https" | null;
  /** The requested host as a trusted proxy says; null where none does. */
  host: string | null;
}

/**
 * Finds the client behind trusted proxies. `X-Forwarded-*` counts only where the connection itself comes from one; the
 * address is the last in `X-Forwarded-For` that is not a trusted proxy's.
 *
 * @param trustedProxies addresses or CIDR ranges (`server.trustedProxies`) @throws Error for one that is neither
 */
export const createClientFinder = (
  trustedProxies: readonly string[],
): ((peer: string | null, headers: Headers) => Client) => {
  const ranges = trustedProxies.map(parseRange);
  const isTrusted = (address: Address) => ranges.some((range) => matches(address, range));

  return (peer, headers) => {
    const direct = parse(peer);
    const unforwarded: Client = { address: direct?.toString() ?? "local", protocol: null, host: null };
    if (direct === null || !isTrusted(direct)) return unforwarded;
    const protocol = headers.get("x-forwarded-proto")?.split(",", 1)[0]?.trim().toLowerCase();
    return {
      address: nearestUntrusted(direct, headers.get("x-forwarded-for") ?? "", isTrusted).toString(),
      protocol: protocol === "http" || protocol === "https" ? protocol : null,
      host: hostOrNull(headers.get("x-forwarded-host")?.split(",", 1)[0]?.trim() ?? null),
    };
  };
};

const nearestUntrusted = (direct: Address, forwardedFor: string, isTrusted: (address: Address) => boolean): Address => {
  let nearest = direct;
  for (const hop of forwardedFor.split(",").slice(-50).reverse()) {
    const address = parse(hop.trim());
    if (address === null) break;
    nearest = address;
    if (!isTrusted(address)) break;
  }
  return nearest;
};

/** An IPv4 address written as IPv6 (`::ffff:…`) is returned as IPv4. */
const parse = (text: string | null): Address | null => {
  return text !== null && ipaddr.isValid(text) ? ipaddr.process(text) : null;
};

const parseRange = (text: string): [Address, number] => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) throw new Error(`server.trustedProxies: ${text} is neither an address nor a CIDR range`);
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
};

const matches = (address: Address, [network, bits]: [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** A `Host` value that may be shown in an address: name, IPv4 or `[IPv6]`, with or without port. */
const hostOrNull = (host: string | null): string | null =>
  host !== null && /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/.test(host) ? host : null;

/**
 * Address under which clients reach this server, without a slash at its end: `server.baseUrl`, else what a trusted
 * proxy or the Host header says, else where it listens.
 */
export const baseUrlOf = (
  server: Pick<Config["server"], "baseUrl" | "host" | "port" | "tls">,
  client: Client,
  hostHeader: string | null,
): string => {
  if (server.baseUrl !== null) return server.baseUrl.replace(/\/+$/, "");
  const host = client.host ?? hostOrNull(hostHeader) ?? `${server.host}:${server.port}`;
  return `${client.protocol ?? (server.tls.certificate === null ? "http" : "https")}://${host}`;
};

/** Requests without a key that get their lines in a minute: strangers must not fill the disk. */
const maxOfNetwork = 600;
const maxOfAll = 3_000;
const minuteMs = 60_000;

/**
 * Which requests without a key are logged. At the end of a minute in which some were not, the log says how many; the
 * metrics count all of them.
 * @returns the answer for a request, the same however often it is asked
 */
export const createLineBudget = (log: Pick<Logger, "warn">, periodMs = minuteMs): ((frame: Frame) => boolean) => {
  const answers = new WeakMap<Frame, boolean>();
  const ofNetwork = new Map<string, number>();
  let ofAll = 0;
  let leftOut = 0;
  let isCounting = false;

  const endPeriod = (): void => {
    if (leftOut > 0) log.warn({ requests: leftOut }, "requests without a key were not logged: too many came");
    ofNetwork.clear();
    ofAll = 0;
    leftOut = 0;
    isCounting = false;
  };
  const decide = (network: string): boolean => {
    if (!isCounting) {
      isCounting = true;
      setTimeout(endPeriod, periodMs).unref();
    }
    const own = ofNetwork.get(network) ?? 0;
    if (own >= maxOfNetwork || ofAll >= maxOfAll) {
      leftOut += 1;
      return false;
    }
    ofNetwork.set(network, own + 1);
    ofAll += 1;
    return true;
  };

  return (frame) => {
    const known = answers.get(frame);
    if (known !== undefined) return known;
    const isLogged = decide(networkOf(frame.clientAddress));
    answers.set(frame, isLogged);
    return isLogged;
  };
};

/** Half of the file descriptors are for clients: the store, parsers and models need the others. */
const partForClients = 1 / 2;
/** Part of those that requests from one network may take. */
const partForNetwork = 1 / 4;
/** Where the system does not say how many it allows. */
const usualDescriptors = 4096;

/** How many requests are at work, by the network that they come from. */
interface RequestRoom {
  /**
   * Takes a place. A connection cannot be refused before it has sent the head of a request: Bun has no such hook. Those
   * that send none are closed after ten seconds.
   * @returns gives it back @throws ApiError overloaded where all places, or those of the network, are taken
   */
  enter(clientAddress: string): () => void;
}

const createRequestRoom = (): RequestRoom => {
  const most = Math.max(1, Math.floor(maxOpenFiles() * partForClients));
  const mostOfNetwork = Math.max(1, Math.floor(most * partForNetwork));
  const atWork = new Map<string, number>();
  let all = 0;

  return {
    enter(clientAddress) {
      const network = networkOf(clientAddress);
      const own = atWork.get(network) ?? 0;
      if (own >= mostOfNetwork) throw tooMany(`Too many requests from your network are at work (${mostOfNetwork}).`);
      if (all >= most) throw tooMany(`Too many requests are at work (${most}).`);
      atWork.set(network, own + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = (atWork.get(network) ?? 1) - 1;
        if (left > 0) atWork.set(network, left);
        else atWork.delete(network);
      };
    },
  };
};

const tooMany = (what: string): ApiError =>
  new ApiError("overloaded", `${what} Send this again in a moment.`, {
    headers: { "retry-after": "5", connection: "close" },
  });

/** The limit of this process (`ulimit -n`), which Bun raises as far as the system allows when it starts. */
const maxOpenFiles = (): number => {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? usualDescriptors : Number(soft);
  } catch {
    return usualDescriptors;
  }
};
