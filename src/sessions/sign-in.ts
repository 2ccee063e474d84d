import { RateLimiterMemory } from "rate-limiter-flexible";
import { authenticate, hashKey } from "../access/key.ts";
import { type AuditDependencies, type ChangeMaker, recordChange } from "../access/record-change.ts";
import { isOver, newSessionToken, sessionIdOf } from "../access/session.ts";
import { ApiError, type ErrorCode, rateLimited } from "../domain/errors.ts";
import { defaultOrganization } from "../domain/ids.ts";
import type { KeyRecord } from "../domain/records.ts";
import { networkOf } from "../domain/web-address.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";

type Client = Pick<ChangeMaker, "address" | "requestId">;

/** Somebody could not sign in. */
interface Refusal {
  client: Client;
  /** A key that was valid once; null for an unknown key. */
  key: KeyRecord | null;
  code: ErrorCode;
  /** How many keys its address has tried within a minute. */
  wrongKeys: number;
  now: number;
}

/** Entries that strangers can make in an hour: many addresses must not fill the disk. */
const maxEntries = 100;
const hourSeconds = 3_600;

/**
 * Puts refused sign-ins into the audit log: of the key's organization, else of `default`. Where that cannot be done,
 * they are in the log like every request.
 */
export const createRefusalNotes = ({
  store,
  log,
}: {
  store: Pick<Store, "audit" | "organizations">;
  log: AuditDependencies["log"];
}): ((refusal: Refusal) => Promise<void>) => {
  const entries = new RateLimiterMemory({ points: maxEntries, duration: hourSeconds });

  return async ({ client, key, code, wrongKeys, now }) => {
    const { consumedPoints } = await entries.penalty("all");
    if (consumedPoints > maxEntries) return;
    try {
      const organizationId = key?.organizationId ?? (await store.organizations.getByName(defaultOrganization))?.id;
      if (organizationId === undefined) return;
      await store.audit.add({
        ...client,
        id: Bun.randomUUIDv7(),
        organizationId,
        createdAt: now,
        action: "session.refused",
        actor: "nobody",
        keyId: key?.id ?? null,
        keyName: key?.name ?? null,
        userId: key?.userId ?? "",
        targetId: null,
        details: { code, wrongKeys },
        outcome: "done",
      });
    } catch (err) {
      log.warn({ err }, "a refused sign-in could not be put into the audit log");
    }
  };
};

/** Wrong keys that one address may send in a minute. */
const maxWrongKeys = 10;
/** Sessions that may be begun in a minute with one key: each is an entry of the audit log and a row. */
const maxOfKey = 60;
/** From one address more: several people share one behind a router, and none of them can shut the others out. */
const maxOfAddress = 4 * maxOfKey;
const minuteSeconds = 60;

interface SignedIn {
  token: string;
  key: KeyRecord;
}

interface SignInDependencies {
  store: Pick<Store, "ages" | "audit" | "keys" | "organizations" | "sessions">;
  log: Logger;
}

/**
 * Makes a session for a key, and puts into the audit log who signed in and who could not.
 * @throws ApiError key_unknown, key_expired; rate_limited after ten wrong keys from one address in a minute, or sixty
 *   sessions begun with one key
 */
type SignIn = (key: string, client: Client, now: number) => Promise<SignedIn>;

export const createSignIn = (dependencies: SignInDependencies): SignIn => {
  const { ages, keys, sessions } = dependencies.store;
  const wrongKeys = new RateLimiterMemory({ points: maxWrongKeys, duration: minuteSeconds });
  const ofKey = new RateLimiterMemory({ points: maxOfKey, duration: minuteSeconds });
  const ofAddress = new RateLimiterMemory({ points: maxOfAddress, duration: minuteSeconds });
  const countSignIn = async (limiter: RateLimiterMemory, who: string, detail: string): Promise<void> => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(who);
    if (consumedPoints > limiter.points) throw rateLimited(detail, msBeforeNext);
  };
  const noteRefusal = createRefusalNotes(dependencies);

  return async (key, client, now) => {
    const network = networkOf(client.address);
    const before = await wrongKeys.get(network);
    if (before !== null && before.consumedPoints >= maxWrongKeys)
      throw rateLimited("Too many wrong keys were sent from your address.", before.msBeforeNext);
    try {
      const principal = authenticate(keys, key, now);
      const { keyId } = principal;
      const record = keyId === null ? null : keys.getById(keyId);
      if (record === null) throw new ApiError("key_unknown", "This API key is unknown or was revoked.");
      await countSignIn(ofKey, record.id, "Too many sessions were begun with this key.");
      await countSignIn(ofAddress, network, "Too many sessions were begun from your address.");
      const token = newSessionToken();
      const session = { id: sessionIdOf(token), keyId: record.id, createdAt: now, seenAt: now };
      const maker = { ...client, principal: { ...principal, isSession: true } };
      await recordChange(dependencies, maker, { action: "session.created", targetId: null }, () =>
        sessions.add(session, (other) => isOver(other, ages)),
      );
      return { token, key: record };
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        const { consumedPoints } = await wrongKeys.penalty(network);
        // The first wrong key and the last that is tried are recorded; those in between tell nothing more.
        if (consumedPoints === 1 || consumedPoints === maxWrongKeys) {
          const known = keys.getByHash(hashKey(key));
          await noteRefusal({ client, key: known, code: error.code, wrongKeys: consumedPoints, now });
        }
      }
      throw error;
    }
  };
};
