import { createHash, randomBytes } from "node:crypto";
import { cookieNamed } from "../domain/cookies.ts";
import { cookiePath } from "../domain/path-prefix.ts";
import { maxSessionMs } from "./session-life.ts";

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
