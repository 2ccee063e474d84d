import type { KeyLimits, KeyRecord } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { noLimits } from "../limits/limit-settings.ts";
import type { Store } from "../store/contract.ts";

/**
 * A key as answers and `carrel key list --json` show it: never its hash.
 * @param limits its own; null for none
 */
export const keyJson = (record: KeyRecord, limits: KeyLimits | null) => ({
  id: record.id,
  name: record.name,
  role: record.role,
  organizationId: record.organizationId,
  userId: record.userId,
  partitionId: record.partitionId,
  createdAt: isoTime(record.createdAt),
  expiresAt: record.expiresAt === null ? null : isoTime(record.expiresAt),
  ...(limits ?? noLimits),
});

/** The record of the key that a request acts by; null where there is none. */
export const keyJsonOf = ({ keys, keyLimits }: Pick<Store, "keys" | "keyLimits">, keyId: string | null) => {
  const key = keyId === null ? null : keys.getById(keyId);
  return key === null ? null : keyJson(key, keyLimits.get(key.id));
};
