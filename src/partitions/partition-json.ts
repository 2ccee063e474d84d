import { isoTime } from "../http/fields.ts";
import type { Partition } from "../store/records.ts";

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
