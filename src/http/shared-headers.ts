import type { Config } from "../../config/schema.ts";
import { isOriginAllowed } from "../domain/web-address.ts";
import type { Endpoint } from "./endpoint.ts";
import { plainPagePolicy } from "./html-page.ts";

/** Headers of every answer, unless its operation sets them. */
export const sharedHeaders = (
  { headers }: Response,
  { tls }: Pick<Config["server"], "tls">,
): Record<string, string> => {
  const isPage = headers.get("content-type")?.startsWith("text/html") && !headers.has("content-security-policy");
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...(headers.has("cache-control") ? {} : { "cache-control": "no-store" }),
    ...(tls.certificate !== null && tls.hstsMaxAgeSeconds > 0
      ? { "strict-transport-security": `max-age=${tls.hstsMaxAgeSeconds}` }
      : {}),
    ...(isPage ? { "content-security-policy": plainPagePolicy } : {}),
  };
};

/** Sets headers of the response itself. `Vary` is added to what the operation set. */
export const withHeaders = (response: Response, headers: Record<string, string>): Response => {
  for (const [name, value] of Object.entries(headers)) {
    if (name === "vary") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
  return response;
};

const allowedHeaders =
  "Authorization, Content-Type, Accept, X-Request-Id, X-Visitor-Token, Idempotency-Key, Prefer, Last-Event-ID, X-Carrel-Sources, MCP-Protocol-Version, Mcp-Method, Mcp-Name";
/** What OpenAI's clients tell of themselves, in many headers. */
const openAiHeader = /^(?:x-stainless|openai)-[a-z-]{1,40}$/;
const maxHeaders = 30;
const exposedHeaders =
  "X-Request-Id, X-Carrel-Receipt, X-Total-Count, X-Visitor-Token, Retry-After, X-Should-Retry, RateLimit, RateLimit-Policy, Content-Disposition, WWW-Authenticate";

/**
 * The headers that let a page of another origin read an answer; none where that origin is not allowed. Operations open to
 * visitors are also allowed to the origins of `publicChats.allowedOrigins`.
 */
export const corsHeaders = (
  config: Pick<Config, "server" | "publicChats">,
  endpoint: Pick<Endpoint, "access"> | null,
  origin: string | null,
): Record<string, string> => {
  if (origin === null) return {};
  const allowed = [
    ...config.server.allowedOrigins,
    ...(endpoint?.access === "visitor" ? config.publicChats.allowedOrigins : []),
  ];
  if (!isOriginAllowed(origin, allowed)) return allowed.length > 0 ? { vary: "Origin" } : {};
  const named = isOriginAllowed(
    origin,
    allowed.filter((one) => one !== "*"),
  );
  return {
    vary: "Origin",
    "access-control-allow-origin": named ? origin : "*",
    // The visitor cookie is sent only to origins that the operator has named.
    ...(named ? { "access-control-allow-credentials": "true" } : {}),
    "access-control-expose-headers": exposedHeaders,
  };
};

/**
 * Answers `OPTIONS` for a path with these operations, and a browser's preflight request. `corsHeaders` says whether the
 * origin is allowed, as for every answer.
 */
export const answerOptions = (endpoints: readonly Pick<Endpoint, "method">[], headers: Headers): Response => {
  const allow = methodsOf(endpoints);
  if (!headers.has("access-control-request-method")) return new Response(null, { status: 204, headers: { allow } });
  const asked = (headers.get("access-control-request-headers") ?? "").toLowerCase().split(",").slice(0, maxHeaders);
  const ofClients = asked.map((name) => name.trim()).filter((name) => openAiHeader.test(name));
  const preflight = {
    "access-control-allow-methods": allow,
    "access-control-allow-headers": [allowedHeaders, ...ofClients].join(", "),
    "access-control-max-age": "600",
  };
  return new Response(null, { status: 204, headers: { allow, ...preflight } });
};

/** `Allow` for a path with these operations: HEAD goes with GET, OPTIONS with all. */
export const methodsOf = (endpoints: readonly Pick<Endpoint, "method">[]): string => {
  const methods = new Set<string>(endpoints.map(({ method }) => method));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods, "OPTIONS"].join(", ");
};
