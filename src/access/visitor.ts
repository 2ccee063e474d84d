import { randomBytes } from "node:crypto";
import type { Config } from "../../config/schema.ts";
import { ApiError } from "../domain/errors.ts";
import { createSigner } from "../domain/signature.ts";
import { cookieNamed, cookiePath, isOriginAllowed } from "../domain/web-address.ts";
import type { Ages } from "../store/contract.ts";

/** A visitor of public chats: the bearer of a token, distinguished from other visitors by its id. */
interface Visitor {
  id: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

const idBytes = 16;
const form = /^v1\.([A-Za-z0-9_-]{22})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;

const signer = (secret: Uint8Array) => createSigner(secret, "visitor");

/** @returns a new visitor */
export const newVisitor = (expiresAt: number): Visitor => ({
  id: randomBytes(idBytes).toString("base64url"),
  expiresAt,
});

/** `v1.<id>.<expiry in ms, base 36>.<signature>`, in characters that cookies and headers carry as they are. */
export const visitorToken = (secret: Uint8Array, visitor: Visitor): string => {
  const payload = `v1.${visitor.id}.${visitor.expiresAt.toString(36)}`;
  return `${payload}.${signer(secret).sign(payload)}`;
};

/** Whether it has expired, callers tell. @returns null for a token that is foreign or was altered */
export const readVisitorToken = (secret: Uint8Array, token: string): Visitor | null => {
  const match = form.exec(token);
  if (match === null) return null;
  const [, id = "", expiry = "", signature = ""] = match;
  const isOwn = signer(secret).isSigned(`v1.${id}.${expiry}`, signature);
  return isOwn ? { id, expiresAt: Number.parseInt(expiry, 36) } : null;
};

const visitorCookie = "carrel_visitor";
const visitorHeader = "x-visitor-token";
const dayMs = 86_400_000;

export interface RecognizedVisitor extends Visitor {
  /** The token came with the request; false for a new visitor. */
  isKnown: boolean;
  /** Headers of the answer that carry the token. */
  headers: Record<string, string>;
}

/**
 * Recognizes a visitor by the header `X-Visitor-Token` or the cookie `carrel_visitor`; without a valid token, the visitor
 * is new. A token past half its life is renewed, so that a regular visitor stays known.
 */
export const recognizeVisitor = (
  request: Request,
  options: { secret: Uint8Array; tokenDays: number; baseUrl: string; now: number; ages: Pick<Ages, "of"> },
): RecognizedVisitor => {
  const lifeMs = options.tokenDays * dayMs;
  /** Where the clock is ahead, a visitor must not lose what was said before. */
  const isYoung = ({ expiresAt }: Visitor): boolean => options.ages.of(expiresAt - lifeMs) < lifeMs;
  const candidates = [request.headers.get(visitorHeader), cookieNamed(request.headers.get("cookie"), visitorCookie)];
  const found =
    candidates
      .filter((token) => token !== null)
      .map((token) => readVisitorToken(options.secret, token))
      .find((visitor) => visitor !== null && (visitor.expiresAt > options.now || isYoung(visitor))) ?? null;

  const leftMs = found === null ? 0 : found.expiresAt - options.now;
  // One that a wrong clock dated would not be renewed for years.
  const lasting = found !== null && leftMs > lifeMs / 2 && leftMs <= lifeMs + dayMs;
  const expiresAt = options.now + lifeMs;
  const visitor = found === null ? newVisitor(expiresAt) : lasting ? found : { id: found.id, expiresAt };
  const token = visitorToken(options.secret, visitor);
  const headers: Record<string, string> = { "X-Visitor-Token": token, "Cache-Control": "private, no-store" };
  if (!lasting) headers["Set-Cookie"] = setCookie(token, lifeMs / 1000, options.baseUrl);
  return { ...visitor, isKnown: found !== null, headers };
};

/** `SameSite=None` lets the widget keep it on other sites; browsers require https for that. */
const setCookie = (token: string, maxAgeSeconds: number, baseUrl: string): string =>
  `${visitorCookie}=${token}; Path=${cookiePath(baseUrl)}; Max-Age=${maxAgeSeconds}; HttpOnly; ${baseUrl.startsWith("https:") ? "SameSite=None; Secure" : "SameSite=Lax"}`;

/** The conversation that a visitor's messages belong to. */
export const visitorThread = (visitorId: string): string => `visitor:${visitorId}`;

/** The conversation of an end user that a caller with a key names. */
export const userThread = (userId: string): string => `user:${userId}`;

/**
 * Refuses a visitor whose page may not use public chats: its origin is neither this server's own, nor named in
 * `publicChats.allowedOrigins` (`*`: any) or `server.allowedOrigins`. A request without `Origin` comes from no foreign
 * page and is allowed.
 * @throws ApiError origin_forbidden
 */
export const checkOrigin = (
  request: Request,
  baseUrl: string,
  config: Pick<Config, "server" | "publicChats">,
): void => {
  const origin = request.headers.get("origin");
  if (origin === null || origin === URL.parse(baseUrl)?.origin) return;
  if (isOriginAllowed(origin, [...config.publicChats.allowedOrigins, ...config.server.allowedOrigins])) return;
  throw new ApiError(
    "origin_forbidden",
    "Pages of this web origin may not use public chats here: the operator lists those that may in publicChats.allowedOrigins.",
  );
};
