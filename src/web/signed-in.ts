import { principalOfSession, sessionTokenIn } from "../access/session.ts";
import { ApiError } from "../domain/errors.ts";
import { type keyJson, keyJsonOf } from "../keys/schema.ts";
import type { Store } from "../store/contract.ts";

/** The record of a key, as `GET /api/session` answers it. */
type SignedIn = ReturnType<typeof keyJson>;

/** Where a page is opened from for the session's cookie to come with it: typed, a bookmark, a link of this site. */
const sitesWithCookie: readonly string[] = ["none", "same-origin", "same-site"];

/**
 * Who opens the console, so that its page need not ask: one round trip less before it shows anything.
 * @returns null for nobody; undefined where it cannot be said: a link on another site brings no cookie (`SameSite=Strict`),
 *   and over plain HTTP browsers do not tell where the link was
 */
export const signedInOf = (
  { headers }: Pick<Request, "headers">,
  store: Pick<Store, "ages" | "keys" | "keyLimits" | "sessions">,
): SignedIn | null | undefined => {
  const token = sessionTokenIn(headers.get("cookie"));
  if (token === null) return sitesWithCookie.includes(headers.get("sec-fetch-site") ?? "") ? null : undefined;
  try {
    return keyJsonOf(store, principalOfSession(store, token, Date.now()).keyId);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
};
