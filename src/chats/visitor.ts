import { cookieNamed } from "../domain/cookies.ts";
import { cookiePath } from "../domain/path-prefix.ts";
import type { Ages } from "../store/contract.ts";
import { newVisitor, readVisitorToken, type Visitor, visitorToken } from "./visitor-token.ts";

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
