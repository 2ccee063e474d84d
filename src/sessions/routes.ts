import { Type } from "@sinclair/typebox";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { authenticate, hashKey } from "../access/key.ts";
import { type AuditDependencies, type ChangeMaker, recordChange } from "../access/record-change.ts";
import {
  isOver,
  newSessionToken,
  noSessionCookie,
  sessionCookie,
  sessionIdOf,
  sessionTokenIn,
} from "../access/session.ts";
import { ApiError, type ErrorCode, rateLimited } from "../domain/errors.ts";
import { defaultOrganization } from "../domain/ids.ts";
import type { KeyRecord } from "../domain/records.ts";
import { networkOf } from "../domain/web-address.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse } from "../http/respond.ts";
import { deletedSchema, textField } from "../http/schema/fields.ts";
import { keyExample, keyJson, keyJsonOf, keySchema } from "../keys/schema.ts";
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

const createSignIn = (dependencies: SignInDependencies): SignIn => {
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

const path = "/api/session";
const tag = "Sessions";

const signInBody = Type.Object(
  { key: textField({ maxLength: 255, blank: false, description: "The API key.", examples: ["crl_…"] }) },
  { $id: "SignIn" },
);

const nobody = (): ApiError =>
  new ApiError("key_missing", "Nobody is signed in: send an API key to `POST /api/session`.");

/** `/api/session`: signing in to the console with a key. */
export const sessionEndpoints = ({ store, log }: { store: Store; log: Logger }): Endpoint[] => {
  const signIn = createSignIn({ store, log });
  return [
    endpoint({
      method: "POST",
      path,
      operationId: "signIn",
      access: "open",
      tag,
      summary: "Sign in with a key",
      description:
        "Sets the cookie `carrel_session`, which stands for the key on every `/api` route: for 12 hours after its last use, 30 days at most, and as long as the key is valid. A request by cookie that changes something carries the header `X-Carrel-Session: 1`. After ten wrong keys from one address in a minute, or sixty sessions begun with one key, the answer is 429.",
      body: signInBody,
      responses: { 200: keySchema },
      errors: ["key_unknown", "key_expired", "rate_limited"],
      example: { request: { key: "crl_…" }, response: keyExample },
      async handle({ body, clientAddress, requestId, baseUrl }) {
        const client = { address: clientAddress, requestId };
        const { token, key } = await signIn(body.key.trim(), client, Date.now());
        const headers = { "set-cookie": sessionCookie(token, baseUrl), "cache-control": "no-store" };
        return jsonResponse(keyJson(key, store.keyLimits.get(key.id)), { headers });
      },
    }),
    endpoint({
      method: "GET",
      path,
      operationId: "getSession",
      access: "reader",
      tag,
      summary: "Who is signed in",
      description: "The record of the key that the request acts by.",
      responses: { 200: keySchema },
      errors: [],
      example: { response: keyExample },
      handle({ principal }) {
        const key = keyJsonOf(store, principal.keyId);
        if (key === null) throw nobody();
        return jsonResponse(key, { headers: { "cache-control": "no-store" } });
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      operationId: "signOut",
      access: "reader",
      tag,
      summary: "Sign out",
      description: "Ends the session of the cookie, if there is one.",
      responses: { 200: deletedSchema },
      errors: [],
      example: { response: { id: "carrel_session", deleted: true } },
      async handle({ principal, request, baseUrl, audited }) {
        const token = sessionTokenIn(request.headers.get("cookie"));
        const session = token === null ? null : store.sessions.get(sessionIdOf(token));
        // A request with a key of its own may carry the cookie of somebody else.
        const isOwn = session !== null && session.keyId === principal.keyId;
        if (isOwn) await audited({ action: "session.ended", targetId: null }, () => store.sessions.remove(session.id));
        else if (session !== null) await store.sessions.remove(session.id);
        const headers = { "set-cookie": noSessionCookie(baseUrl), "cache-control": "no-store" };
        return jsonResponse({ id: "carrel_session", deleted: true }, { headers });
      },
    }),
  ] as Endpoint[];
};
