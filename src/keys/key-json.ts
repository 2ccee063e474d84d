import type { KeyLimits, KeyRecord } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { noLimits } from "../limits/limit-settings.ts";

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
