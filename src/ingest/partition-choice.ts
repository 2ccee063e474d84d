import { createGate, type Gate } from "../async/keyed-mutex.ts";
import { ApiError } from "../domain/errors.ts";
import { notFound, partitionField, requireRecordId } from "../domain/ids.ts";
import type { Tenant } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";

/** The partition of a document: an existing one, one by name that may have to be created, or none was named. */
export type PartitionChoice = { kind: "unnamed" } | { kind: "existing"; id: string } | { kind: "byName"; name: string };

/**
 * Checks the requested partition against the store, without changing it. A key limited to a partition uses that one.
 * @throws ApiError partition_not_found, partition_conflict
 */
export const choosePartition = async (
  { partitions }: Pick<Store, "partitions">,
  tenant: Tenant,
  requested: { partitionId: string | null; partition: string | null },
): Promise<PartitionChoice> => {
  const id = requested.partitionId ?? (requested.partition === null ? tenant.partitionId : null);
  if (id !== null) {
    const found = await partitions.get(tenant, requireRecordId(id, "partition_not_found", "partitionId"));
    if (found === null) throw notFound("partition_not_found", partitionField(tenant, id));
    if (requested.partition !== null && requested.partition !== found.name) {
      throw new ApiError(
        "partition_conflict",
        "partition and partitionId are not the same partition. Send one of them.",
        { errors: [{ path: "partition", message: "is not the name of the partition that partitionId names" }] },
      );
    }
    return { kind: "existing", id };
  }
  if (requested.partition === null) return { kind: "unnamed" };
  const named = await partitions.getByName(tenant, requested.partition);
  if (named !== null) return { kind: "existing", id: named.id };
  if (tenant.partitionId !== null) {
    throw new ApiError("partition_not_found", "There is no partition of this name that your key can see.", {
      errors: [{ path: "partition", message: "names no partition that your key can see" }],
    });
  }
  return { kind: "byName", name: requested.partition };
};

/** Keeps a partition in place while documents are stored in it: no document ends up in a deleted partition. */
export interface PartitionClaims {
  /**
   * Runs `store` with the id of the chosen partition. It is created where there is none, and removed again where its
   * first document could not be stored. It cannot be deleted until `store` is done.
   * @throws ApiError partition_not_found for one that was deleted meanwhile
   */
  withPartition<T>(tenant: Tenant, choice: PartitionChoice, store: (id: string | null) => Promise<T>): Promise<T>;
  /** Runs `remove` while nothing is being stored in the partition. */
  alone<T>(partitionId: string, remove: () => Promise<T>): Promise<T>;
}

export const createPartitionClaims = ({ partitions }: Pick<Store, "partitions">, log: Logger): PartitionClaims => {
  const gates = new Map<string, { gate: Gate; users: number }>();
  const withGate = async <T>(id: string, work: (gate: Gate) => Promise<T>): Promise<T> => {
    const entry = gates.get(id) ?? { gate: createGate(), users: 0 };
    gates.set(id, entry);
    entry.users += 1;
    try {
      return await work(entry.gate);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) gates.delete(id);
    }
  };
  const alone: PartitionClaims["alone"] = (id, remove) => withGate(id, (gate) => gate.exclusive(remove));

  const take = async (tenant: Tenant, choice: PartitionChoice & { kind: "existing" | "byName" }) => {
    if (choice.kind === "existing") return { id: choice.id, created: false };
    const { partition, created } = await partitions.upsert(tenant, choice.name);
    return { id: partition.id, created };
  };

  const removeIfEmpty = async (tenant: Tenant, id: string): Promise<void> => {
    try {
      if ((await partitions.countDocuments(tenant, id)) === 0) await partitions.remove(tenant, id);
    } catch (error) {
      log.warn({ err: error, partitionId: id }, "a partition made for a document that failed could not be removed");
    }
  };

  return {
    alone,
    async withPartition(tenant, choice, store) {
      if (choice.kind === "unnamed") return await store(null);
      for (;;) {
        const { id, created } = await take(tenant, choice);
        let isStored = false;
        try {
          const stored = await withGate(id, (gate) =>
            gate.shared(async () => ((await partitions.get(tenant, id)) === null ? null : { result: await store(id) })),
          );
          isStored = stored !== null;
          if (stored !== null) return stored.result;
        } finally {
          if (created && !isStored) await alone(id, () => removeIfEmpty(tenant, id));
        }
        // Deleted since it was chosen: one that was chosen by name is created again.
        if (choice.kind === "existing") throw notFound("partition_not_found");
      }
    },
  };
};
