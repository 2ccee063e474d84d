import type { Partition, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/**
 * The partition with that name and the number of its documents, created where there is none.
 * @throws ApiError key_limited where the tenant is limited to another one
 */
export const upsertPartition = async (
  store: Pick<Store, "partitions">,
  tenant: Tenant,
  name: string,
): Promise<Partition & { documents: number }> => {
  const { partition, created } = await store.partitions.upsert(tenant, name.trim());
  return { ...partition, documents: created ? 0 : await store.partitions.countDocuments(tenant, partition.id) };
};
