import { isRecordId, notFound } from "../domain/ids.ts";
import type { Partition, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/** A partition with the number of its documents. @throws ApiError partition_not_found */
export const getPartition = async (
  store: Pick<Store, "partitions">,
  tenant: Tenant,
  id: string,
): Promise<Partition & { documents: number }> => {
  const partition = isRecordId(id) ? await store.partitions.get(tenant, id) : null;
  if (partition === null) throw notFound("partition_not_found");
  return { ...partition, documents: await store.partitions.countDocuments(tenant, id) };
};
