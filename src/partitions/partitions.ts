import { deleteDocument, unlessGone } from "../documents/document-records.ts";
import { ApiError } from "../domain/errors.ts";
import { isRecordId, notFound } from "../domain/ids.ts";
import type { Partition, Tenant } from "../domain/records.ts";
import type { PartitionClaims } from "../ingest/partition-choice.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
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

interface ClearDependencies {
  store: Store;
  ingest: IngestQueue;
}

interface DeleteDependencies extends ClearDependencies {
  claims: Pick<PartitionClaims, "alone">;
}

/** Documents looked up at a time. */
const batchSize = 100;

/**
 * Deletes a partition. `documents` says what happens to the documents in it: deleted, or kept without a partition.
 *
 * @param signal stops the work between two documents: finished ones stay so, and the partition stays until all are
 * @throws ApiError partition_not_found; partition_not_empty where it holds documents and `documents` is null;
 * key_limited for `detach` by a key limited to the partition, which may not put documents outside it
 */
export const deletePartition = async (
  deps: DeleteDependencies,
  tenant: Tenant,
  id: string,
  documents: "delete" | "detach" | null,
  signal: AbortSignal,
): Promise<void> => {
  const partition = await getPartition(deps.store, tenant, id);
  if (documents === "detach" && tenant.partitionId !== null) {
    throw new ApiError("key_limited", "A key that is limited to a partition cannot move documents out of it.");
  }
  if (documents === null && partition.documents > 0) throw notEmpty(partition.documents);
  if (documents !== null) await clear(deps, tenant, id, documents, signal);
  // Documents may have been added since; while the partition is claimed, none can be.
  await deps.claims.alone(id, async () => {
    // Another request may have deleted the partition.
    await getPartition(deps.store, tenant, id);
    if (documents !== null) await clear(deps, tenant, id, documents, signal);
    const left = await deps.store.partitions.countDocuments(tenant, id);
    if (left > 0) throw notEmpty(left);
    await deps.store.partitions.remove(tenant, id);
  });
};

/** Empties the partition, batch by batch. */
const clear = async (
  { store, ingest }: ClearDependencies,
  tenant: Tenant,
  partitionId: string,
  how: "delete" | "detach",
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    const ids = await store.documents.listIdsInPartition(tenant, partitionId, batchSize);
    if (ids.length === 0) return;
    for (const id of ids) {
      signal.throwIfAborted();
      if (how === "delete") await unlessGone(deleteDocument({ store, ingest }, tenant, id), undefined);
      else await ingest.exclusively(tenant, id, () => store.documents.relabel(tenant, id, { partitionId: null }));
    }
  }
};

const notEmpty = (count: number): ApiError =>
  new ApiError(
    "partition_not_empty",
    `The partition still holds ${count} document${count === 1 ? "" : "s"}: add ?documents=delete to delete them with it, or ?documents=detach to keep them.`,
  );
