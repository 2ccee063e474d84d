import type { Config } from "../../config/schema.ts";
import { roleAllows } from "../access/key.ts";
import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/records.ts";
import { isOriginAllowed } from "../domain/web-address.ts";
import { authorize } from "../http/access.ts";
import { bodyPace, readBytes } from "../http/body/arriving-body.ts";
import { parseJson } from "../http/body/parse-body.ts";
import { refuseCompressed } from "../http/body/read-body.ts";
import { maxBodyBytesOf } from "../http/endpoint.ts";
import { type Frame, failureOf, frameOf, type HttpDependencies } from "../http/frame.ts";
import { routeOptions } from "../http/path-lookup.ts";
import type { Extension } from "../http/router.ts";
import { literalAddress } from "../ingest/fetch/address.ts";
import type { Store } from "../store/contract.ts";
import type { ToolDependencies } from "./tools.ts";

/** Where MCP clients connect. */
const mcpPath = "/mcp";

const route = { method: "POST", path: mcpPath, access: "reader" } as const;

/** Messages that one request may carry: revision 2025-03-26 has batches. */
const maxMessages = 50;

export interface McpDependencies extends HttpDependencies, ToolDependencies {
  config: Config;
  store: Store;
  /** Version of the program. */
  version: string;
}

/**
 * `POST /mcp`: the Model Context Protocol over HTTP. Only POST: nothing is kept between requests.
 * @param challenge `WWW-Authenticate` of a request without a valid key
 */
export const createMcpRoutes = (deps: McpDependencies, challenge: (frame: Frame) => string): Extension => {
  const { config, store, rates } = deps;
  let loading: Promise<ReturnType<typeof import("./server.ts").createMcpServing>> | null = null;
  // The protocol's package is loaded when a client first comes.
  const serving = () => {
    loading ??= import("./server.ts").then(({ createMcpServing }) => createMcpServing(deps));
    return loading;
  };

  const callerOf = (request: Request, frame: Frame): Principal => {
    try {
      const principal = authorize(route, { headers: request.headers, path: frame.path }, store, frame.operator);
      if (principal !== null) return principal;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw new ApiError(error.code, error.message, { headers: { "www-authenticate": challenge(frame) } });
    }
    throw new Error("an operation for keys was called without one");
  };

  const admit = async (principal: Principal, frame: Frame): Promise<void> => {
    const { headers, refusal } = await rates.admit(principal);
    frame.rateHeaders = headers;
    if (refusal !== null) throw refusal;
  };

  const answer = async (request: Request): Promise<Response> => {
    const frame = frameOf(request);
    frame.endpoint = route;
    refuseForeignOrigin(config, request, frame);
    const principal = callerOf(request, frame);
    frame.principal = principal;
    await admit(principal, frame);
    refuseCompressed(request);
    frame.keepOpen();
    const longBody = roleAllows(principal.role, "writer");
    const maxBytes = maxBodyBytesOf({ longBody }, principal, config.server.maxBodyBytes);
    const pace = frame.operator === null ? bodyPace : null;
    const bytes = await readBytes(request, { maxBytes, pace, held: frame.held });
    const body = readMessage(bytes);
    if (body instanceof Response) return body;
    for (const _ of Array.isArray(body) ? body.slice(1) : []) await admit(principal, frame);
    const { baseUrl, requestId, held, signal, path } = frame;
    const serve = await serving();
    const call = {
      ...{ principal, baseUrl, requestId, held, signal, path },
      isGreeting: isGreeting(body),
      failureOf: (error: unknown) => failureOf(error, request, frame, deps),
    };
    return serve(new Request(request.url, { method: "POST", headers: request.headers, signal }), body, call);
  };

  return {
    paths: [],
    posts: [mcpPath],
    mount(app) {
      app.route("POST", mcpPath, ({ request }) => answer(request), routeOptions);
    },
  };
};

/** A page of another site must not reach the server through its visitor's browser. @throws ApiError origin_forbidden */
const refuseForeignOrigin = (config: Config, { headers }: Request, { baseUrl }: Frame): void => {
  const origin = headers.get("origin");
  if (origin === null || origin === "") return;
  if (isOriginAllowed(origin, config.server.allowedOrigins)) return;
  if (origin.toLowerCase() === ownOrigin(config.server, baseUrl)) return;
  throw new ApiError(
    "origin_forbidden",
    "Pages of this web origin may not call the server: add it to server.allowedOrigins.",
  );
};

/**
 * The origin of Carrel's own pages. Without `server.baseUrl` it is taken from the request, and there only a host that no
 * stranger can name: a page's own name may be made to lead to any address.
 */
const ownOrigin = ({ baseUrl, host }: Config["server"], asked: string): string | null => {
  const { origin, hostname } = new URL(asked);
  const isSure = baseUrl !== null || hostname === host || hostname === "localhost" || literalAddress(hostname) !== null;
  return isSure ? origin.toLowerCase() : null;
};

/** The message, or messages, in a body; the protocol's own answer where there is none. */
const readMessage = (bytes: Uint8Array): unknown => {
  let body: unknown;
  try {
    body = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const message = error instanceof ApiError ? error.message : "The body is not valid UTF-8.";
    return protocolError(-32700, `Parse error: ${message}`);
  }
  const isTooMany = Array.isArray(body) && body.length > maxMessages;
  return isTooMany ? protocolError(-32600, `A request carries at most ${maxMessages} messages.`) : body;
};

const protocolError = (code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status: 400 });

const isGreeting = (body: unknown): boolean =>
  [body].flat().some((message) => {
    const method = typeof message === "object" && message !== null && "method" in message ? message.method : null;
    return method === "initialize" || method === "server/discover";
  });
