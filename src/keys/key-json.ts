import type { KeyRecord } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";

/** A key as answers and `carrel key list --json` show it: never its hash. */
export const keyJson = (record: KeyRecord) => ({
  id: record.id,
  name: record.name,
  role: record.role,
  organizationId: record.organizationId,
  userId: record.userId,
  partitionId: record.partitionId,
  createdAt: isoTime(record.createdAt),
  expiresAt: record.expiresAt === null ? null : isoTime(record.expiresAt),
});
