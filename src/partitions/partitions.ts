import { ApiError } from "../domain/errors.ts";
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

/** @throws ApiError partition_not_found, partition_name_taken */
export const renamePartition = async (
  store: Pick<Store, "partitions">,
  tenant: Tenant,
  id: string,
  name: string,
): Promise<Partition & { documents: number }> => {
  const renamed = isRecordId(id) ? await store.partitions.rename(tenant, id, name.trim()) : null;
  if (renamed === null) throw notFound("partition_not_found");
  if (renamed === "taken") {
    throw new ApiError(
      "partition_name_taken",
      "Another partition has this name: choose another, or move the documents there.",
      { errors: [{ path: "name", message: "is the name of another partition" }] },
    );
  }
  return { ...renamed, documents: await store.partitions.countDocuments(tenant, id) };
};
