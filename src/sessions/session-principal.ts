import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/principal.ts";
import { principalOf } from "../keys/authenticate.ts";
import type { Store } from "../store/contract.ts";
import { sessionIdOf } from "./session-cookie.ts";
import { isAlive } from "./session-life.ts";

const ended = (): ApiError => new ApiError("session_ended", "This session has ended: sign in again with a key.");

/**
 * The caller that a session belongs to. A session ends with its key.
 * @param now epoch milliseconds @throws ApiError session_ended
 */
export const principalOfSession = (
  { keys, sessions }: Pick<Store, "keys" | "sessions">,
  token: string,
  now: number,
): Principal => {
  const session = sessions.get(sessionIdOf(token));
  if (session === null || !isAlive(session, now)) throw ended();
  const key = keys.getById(session.keyId);
  if (key === null || (key.expiresAt !== null && key.expiresAt <= now)) throw ended();
  sessions.touch(session.id, now);
  return { ...principalOf(key), isSession: true };
};
