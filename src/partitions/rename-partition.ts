import { ApiError } from "../domain/errors.ts";
import { isRecordId, notFound } from "../domain/ids.ts";
import type { Partition, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

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
