import { createHash, randomBytes } from "node:crypto";
import { ApiError } from "../domain/errors.ts";
import type { KeyRecord, Principal, Role } from "../domain/records.ts";
import type { KeyStore } from "../store/contract.ts";

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

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const digits = 43;

/** A new key: `crl_` and 256 random bits as 43 digits of base62 (62^43 > 2^256). */
export const generateKey = (): string => {
  let number = BigInt(`0x${randomBytes(32).toString("hex")}`);
  let text = "";
  for (let digit = 0; digit < digits; digit += 1) {
    text = alphabet.charAt(Number(number % 62n)) + text;
    number /= 62n;
  }
  return `crl_${text}`;
};

/** Whether it has the form of a key: what `CARREL_ADMIN_KEY` must have. */
export const isKey = (text: string): boolean => /^crl_[0-9A-Za-z]{43}$/.test(text);

/** Begins the name of the key that the variable gives. A start with another value of it finds, and revokes, it by that. */
export const variableKeyName = "CARREL_ADMIN_KEY";

export const isNameOfVariable = (name: string): boolean =>
  name === variableKeyName || name.startsWith(`${variableKeyName} (`);

/** SHA-256 in hex: only this is stored of a key. 256 random bits need no salt and no slow hash. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex");
