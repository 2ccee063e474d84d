import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/principal.ts";
import { principalOf } from "../keys/authenticate.ts";
import type { Store } from "../store/contract.ts";
import { sessionIdOf } from "./session-cookie.ts";
import { isAlive } from "./session-life.ts";

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
