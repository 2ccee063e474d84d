import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/principal.ts";
import type { KeyRecord, Role } from "../domain/records.ts";
import type { KeyStore } from "../store/contract.ts";
import { hashKey } from "./key-text.ts";

/** The key of an `Authorization: Bearer …` header (the scheme in any case); null for none and for other schemes. */
export const bearerKey = (authorization: string | null): string | null => {
  const match = /^bearer +(\S+) *$/i.exec(authorization ?? "");
  return match?.[1] ?? null;
};

/**
 * The caller that a key belongs to.
 * @param now epoch milliseconds @throws ApiError key_unknown, key_expired
 */
export const authenticate = (keys: Pick<KeyStore, "getByHash">, key: string, now: number): Principal => {
  const record = keys.getByHash(hashKey(key));
  if (record === null) throw new ApiError("key_unknown", "This API key is unknown or was revoked.");
  if (record.expiresAt !== null && record.expiresAt <= now) {
    throw new ApiError("key_expired", "This API key has expired: ask for a new one.");
  }
  return principalOf(record);
};

export const principalOf = ({ organizationId, partitionId, userId, role, id }: KeyRecord): Principal => ({
  organizationId,
  partitionId,
  userId,
  role,
  keyId: id,
});

const ranks: Record<Role, number> = { reader: 1, writer: 2, admin: 3 };

/** Whether `role` includes `needed`: each role may do all that the one before it may. */
export const roleAllows = (role: Role, needed: Role): boolean => ranks[role] >= ranks[needed];
