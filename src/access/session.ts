import { createHash, randomBytes } from "node:crypto";
import { ApiError } from "../domain/errors.ts";
import type { Principal, Session } from "../domain/records.ts";
import { cookieNamed, cookiePath } from "../domain/web-address.ts";
import type { Ages, Store } from "../store/contract.ts";
import { principalOf } from "./key.ts";

/** The cookie of a session. Its value stands for the key, so scripts cannot read it and other sites cannot send it. */
const cookieName = "carrel_session";
/** A request by cookie that changes something carries this header with the value `1`: no form can send it. */
export const sessionHeader = "x-carrel-session";

/** 256 random bits. */
export const newSessionToken = (): string => randomBytes(32).toString("base64url");

/** The id of a session: SHA-256 of its token, hex. The token itself is not stored. */
export const sessionIdOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The token of a `Cookie` header; null if it has none. */
export const sessionTokenIn = (cookie: string | null): string | null => cookieNamed(cookie, cookieName) || null;

const attributes = (baseUrl: string): string =>
  `Path=${cookiePath(baseUrl)}; HttpOnly; SameSite=Strict${baseUrl.startsWith("https:") ? "; Secure" : ""}`;

/** `Set-Cookie` of a new session. */
export const sessionCookie = (token: string, baseUrl: string): string =>
  `${cookieName}=${token}; Max-Age=${maxSessionMs / 1_000}; ${attributes(baseUrl)}`;

/** `Set-Cookie` that removes it. */
export const noSessionCookie = (baseUrl: string): string => `${cookieName}=; Max-Age=0; ${attributes(baseUrl)}`;

const hourMs = 3_600_000;
/** A session that was not used for this long ends. */
const maxIdleMs = 12 * hourMs;
/** A session ends at this age in any case. */
const maxSessionMs = 30 * 24 * hourMs;

/** Whether a session is over for good, however wrong the clock is. */
export const isOver = ({ createdAt, seenAt }: Session, ages: Ages): boolean =>
  ages.of(seenAt) >= maxIdleMs || ages.of(createdAt) >= maxSessionMs;

/** Whether a session counts now: by the clock too, since machines sleep. @param now epoch milliseconds */
const isAlive = (session: Session, ages: Ages, now: number): boolean =>
  now < session.seenAt + maxIdleMs && now < session.createdAt + maxSessionMs && !isOver(session, ages);

const ended = (): ApiError => new ApiError("session_ended", "This session has ended: sign in again with a key.");

/** Whether the token is that of a session that is still valid. @param now epoch milliseconds */
export const isSignedIn = (store: Pick<Store, "ages" | "keys" | "sessions">, token: string, now: number): boolean =>
  liveSession(store, token, now) !== null;

/**
 * The caller that a session belongs to. A session ends with its key.
 * @param now epoch milliseconds @throws ApiError session_ended
 */
export const principalOfSession = (
  store: Pick<Store, "ages" | "keys" | "sessions">,
  token: string,
  now: number,
): Principal => {
  const live = liveSession(store, token, now);
  if (live === null) throw ended();
  store.sessions.touch(live.session.id, now);
  return { ...principalOf(live.key), isSession: true };
};

const liveSession = (
  { ages, keys, sessions }: Pick<Store, "ages" | "keys" | "sessions">,
  token: string,
  now: number,
) => {
  const session = sessions.get(sessionIdOf(token));
  if (session === null || !isAlive(session, ages, now)) return null;
  const key = keys.getById(session.keyId);
  if (key === null || (key.expiresAt !== null && key.expiresAt <= now)) return null;
  return { session, key };
};
