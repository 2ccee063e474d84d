import type { Partition } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";

/** A partition with the number of its documents, as answers show it. */
export const partitionJson = ({
  id,
  name,
  organizationId,
  createdAt,
  documents,
}: Partition & { documents: number }) => ({
  id,
  name,
  organizationId,
  createdAt: isoTime(createdAt),
  documents,
});
