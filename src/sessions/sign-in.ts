import { RateLimiterMemory } from "rate-limiter-flexible";
import { networkOf } from "../domain/client-network.ts";
import { ApiError } from "../domain/errors.ts";
import { rateLimited } from "../domain/rate-limited.ts";
import type { KeyRecord } from "../domain/records.ts";
import { authenticate } from "../keys/authenticate.ts";
import type { Store } from "../store/contract.ts";
import { newSessionToken, sessionIdOf } from "./session-cookie.ts";
import { isAlive } from "./session-life.ts";

/** Wrong keys that one address may send in a minute. */
const maxWrongKeys = 10;
const minuteSeconds = 60;

export interface SignedIn {
  token: string;
  key: KeyRecord;
}

/**
 * Makes a session for a key.
 * @throws ApiError key_unknown, key_expired, rate_limited after ten wrong keys from one address in a minute
 */
export type SignIn = (key: string, clientAddress: string, now: number) => Promise<SignedIn>;

export const createSignIn = ({ keys, sessions }: Pick<Store, "keys" | "sessions">): SignIn => {
  const wrongKeys = new RateLimiterMemory({ points: maxWrongKeys, duration: minuteSeconds });

  return async (key, clientAddress, now) => {
    const network = networkOf(clientAddress);
    const before = await wrongKeys.get(network);
    if (before !== null && before.consumedPoints >= maxWrongKeys)
      throw rateLimited("Too many wrong keys were sent from your address.", before.msBeforeNext);
    try {
      const { keyId } = authenticate(keys, key, now);
      const record = keyId === null ? null : keys.getById(keyId);
      if (record === null) throw new ApiError("key_unknown", "This API key is unknown or was revoked.");
      const token = newSessionToken();
      await sessions.add({ id: sessionIdOf(token), keyId: record.id, createdAt: now, seenAt: now }, (session) =>
        isAlive(session, now),
      );
      return { token, key: record };
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) await wrongKeys.penalty(network);
      throw error;
    }
  };
};
