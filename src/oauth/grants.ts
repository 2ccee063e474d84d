import { createHash, randomBytes } from "node:crypto";
import { generateKey, hashKey, principalOf, roleAllows } from "../access/key.ts";
import { type AuditDependencies, recordChange } from "../access/record-change.ts";
import { createKeyedMutex } from "../async/keyed-mutex.ts";
import { ApiError } from "../domain/errors.ts";
import { grantedId } from "../domain/ids.ts";
import type { KeyRecord, Principal, Role } from "../domain/records.ts";
import { createSigner, isSameSecret } from "../domain/signature.ts";
import { isoTime } from "../domain/times.ts";
import { createKey, keysGrantedBy, revokeKey } from "../keys/keys.ts";
import type { Store } from "../store/contract.ts";
import type { OAuthClient } from "./clients.ts";
import { OAuthFailure } from "./clients.ts";

/** What a user allowed a client. */
interface Grant {
  client: Pick<OAuthClient, "id" | "name">;
  /** Who allowed it, by a key of their own. */
  grantor: Principal & { keyId: string };
  role: Role;
  partitionId: string | null;
  redirectUri: string;
  /** SHA-256 of the verifier that the client must show, base64url. */
  challenge: string;
}

export interface Tokens {
  /** A key of Carrel. */
  accessToken: string;
  expiresInSeconds: number;
  refreshToken: string;
  role: Role;
}

/** Where a request of a client came from, for the audit log. */
interface From {
  address: string;
  requestId: string;
}

const codeMs = 60_000;
const maxCodes = 1_000;
const accessMs = 3_600_000;
/** A client that has not come for this long must ask again. */
const idleMs = 30 * 24 * 3_600_000;

/**
 * Codes, keys and refresh tokens. A client has one key for as long as it is allowed in, which gets another text each hour:
 * so it is seen and revoked as any other. A refresh token names that key and the text that it came with, signed; nothing of
 * it is stored.
 */
export const createGrants = (
  deps: AuditDependencies & { store: Pick<Store, "ages" | "keys" | "keyLimits" | "partitions" | "secret"> },
) => {
  const { store } = deps;
  /** In the order in which they were made. A used one is kept until it expires: used again, it ends what it gave. */
  const codes = new Map<string, { grant: Grant; expiresAt: number; keyId: string | null }>();
  const alone = createKeyedMutex();

  const { sign, isSigned } = createSigner(store.secret, "oauth refresh");

  const tokensOf = (record: KeyRecord, key: string, grantorId: string, clientId: string): Tokens => {
    const payload = `${record.id}.${record.hash}.${grantorId}`;
    return {
      accessToken: key,
      expiresInSeconds: Math.max(1, Math.floor(((record.expiresAt ?? 0) - Date.now()) / 1_000)),
      refreshToken: `crr_${payload}.${sign(`${payload} ${clientId}`)}`,
      role: record.role,
    };
  };

  const end = async (record: KeyRecord, from: From): Promise<void> => {
    const details = { name: record.name, role: record.role };
    const principal = principalOf(record);
    await recordChange(deps, { principal, ...from }, { action: "key.revoked", targetId: record.id, details }, () =>
      revokeKey(store, { organizationId: record.organizationId, partitionId: null }, record.id),
    );
  };

  /** When the key of a grant expires: in an hour, or with that of who granted it. */
  const expiryOf = (grantor: KeyRecord): number =>
    Math.min(Date.now() + accessMs, grantor.expiresAt ?? Number.POSITIVE_INFINITY);

  const liveKey = (id: string): KeyRecord | null => {
    const record = store.keys.getById(id);
    return record === null || (record.expiresAt !== null && record.expiresAt <= Date.now()) ? null : record;
  };

  /** Whether a client has not come back for a month; a clock that was wrong for one start must shut nobody out. */
  const isForgotten = ({ expiresAt }: KeyRecord): boolean => store.ages.of((expiresAt ?? 0) - accessMs) > idleMs;

  /** Keys of clients that are forgotten. */
  const removeForgotten = async ({ grantor }: Grant): Promise<void> => {
    const tenant = { organizationId: grantor.organizationId, partitionId: null };
    for (const key of await keysGrantedBy(store, tenant, grantor.keyId))
      if (isForgotten(key)) await revokeKey(store, tenant, key.id);
  };

  return {
    /** A code that the client exchanges for a key within a minute. @throws ApiError overloaded */
    issueCode(grant: Grant): string {
      for (const [code, { expiresAt }] of codes) if (expiresAt <= Date.now()) codes.delete(code);
      if (codes.size >= maxCodes)
        throw new ApiError("overloaded", "Too many clients are being let in. Try again in a minute.");
      const code = randomBytes(32).toString("base64url");
      codes.set(code, { grant, expiresAt: Date.now() + codeMs, keyId: null });
      return code;
    },

    /** @throws OAuthFailure invalid_grant */
    async redeem(
      sent: { code: string; clientId: string; redirectUri: string; verifier: string },
      from: From,
    ): Promise<Tokens> {
      const known = codes.get(sent.code);
      const used = known?.keyId == null ? null : store.keys.getById(known.keyId);
      if (used !== null) await end(used, from);
      if (known === undefined || known.keyId !== null || known.expiresAt <= Date.now())
        throw new OAuthFailure("invalid_grant", "The code is unknown, was used, or has expired.");
      const { grant } = known;
      // One try: whoever intercepted a code must not guess the rest.
      codes.delete(sent.code);
      if (grant.client.id !== sent.clientId || grant.redirectUri !== sent.redirectUri)
        throw new OAuthFailure("invalid_grant", "The code was given to another client or redirect_uri.");
      if (!isSameSecret(createHash("sha256").update(sent.verifier).digest("base64url"), grant.challenge))
        throw new OAuthFailure("invalid_grant", "code_verifier does not fit code_challenge.");
      const grantor = liveKey(grant.grantor.keyId);
      if (grantor === null) throw new OAuthFailure("invalid_grant", "Who allowed this was signed out meanwhile.");
      await removeForgotten(grant);
      const id = grantedId(grantor.id);
      codes.set(sent.code, { ...known, keyId: id });
      const expiresAt = expiryOf(grantor);
      const { role, partitionId } = grant;
      const input = { id, name: grant.client.name, role, partitionId, userId: grantor.userId, expiresAt };
      const details = { name: input.name, role, partitionId, userId: input.userId, expiresAt: isoTime(expiresAt) };
      const { record, key } = await recordChange(
        deps,
        { principal: grant.grantor, ...from },
        { action: "key.created", targetId: id, details },
        () => createKey(store, grant.grantor, input),
      );
      return tokensOf(record, key, grantor.id, sent.clientId);
    },

    /** Another key text and refresh token for those before. @throws OAuthFailure invalid_grant */
    refresh(sent: { refreshToken: string; clientId: string }, from: From): Promise<Tokens> {
      const [, payload = "", keyId = "", hash = "", grantorId = "", signature = ""] =
        /^crr_(([0-9a-f-]{36})\.([0-9a-f]{64})\.([0-9a-f-]{36}))\.([\w-]{43})$/.exec(sent.refreshToken) ?? [];
      return alone(keyId, async () => {
        const ended = new OAuthFailure("invalid_grant", "The refresh token is unknown, was revoked, or has expired.");
        if (payload === "" || !isSigned(`${payload} ${sent.clientId}`, signature)) throw ended;
        const record = store.keys.getById(keyId);
        if (record === null) throw ended;
        if (record.hash !== hash) {
          await end(record, from);
          throw new OAuthFailure("invalid_grant", "The refresh token was used before: access was ended.");
        }
        const grantor = liveKey(grantorId);
        if (grantor === null || isForgotten(record) || !mayGrant(grantor, record)) {
          await end(record, from);
          throw ended;
        }
        const key = generateKey();
        const next = { ...record, hash: hashKey(key), expiresAt: expiryOf(grantor) };
        await store.keys.change(next);
        return tokensOf(next, key, grantor.id, sent.clientId);
      });
    },
  };
};

/** Whether a key may let a client do this: no more than it may itself. */
export const mayGrant = (
  grantor: Pick<KeyRecord, "role" | "partitionId">,
  { role, partitionId }: Pick<Grant, "role" | "partitionId">,
): boolean => roleAllows(grantor.role, role) && (grantor.partitionId === null || grantor.partitionId === partitionId);
