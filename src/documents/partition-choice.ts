import type { Logger } from "../dependencies.ts";
import { ApiError } from "../errors.ts";
import { notFound, requireRecordId } from "../http/fields.ts";
import type { Store } from "../store/contract.ts";
import type { Tenant } from "../store/records.ts";

/** Where a document is to go: a partition that exists, one that may have to be made, or none that was named. */
export type PartitionChoice = { kind: "unnamed" } | { kind: "existing"; id: string } | { kind: "byName"; name: string };

/**
 * Checks what was asked for against the store, without changing it. A key limited to a partition puts everything there.
 * @throws ApiError partition_not_found, partition_conflict
 */
export const choosePartition = async (
  { partitions }: Pick<Store, "partitions">,
  tenant: Tenant,
  asked: { partitionId: string | null; partition: string | null },
): Promise<PartitionChoice> => {
  const id = asked.partitionId ?? (asked.partition === null ? tenant.partitionId : null);
  if (id !== null) {
    const found = await partitions.get(tenant, requireRecordId(id, "partition_not_found"));
    if (found === null) throw notFound("partition_not_found");
    if (asked.partition !== null && asked.partition !== found.name) {
      throw new ApiError(
        "partition_conflict",
        "partition and partitionId are not the same partition. Send one of them.",
      );
    }
    return { kind: "existing", id };
  }
  if (asked.partition === null) return { kind: "unnamed" };
  const named = await partitions.getByName(tenant, asked.partition);
  if (named !== null) return { kind: "existing", id: named.id };
  if (tenant.partitionId !== null) {
    throw new ApiError("partition_not_found", "There is no partition of this name that your key can see.");
  }
  return { kind: "byName", name: asked.partition };
};

/** Makes partitions for documents, and unmakes one again where its first document could not be stored. */
export interface PartitionClaims {
  /** Runs `store` with the id of the chosen partition. */
  withPartition<T>(tenant: Tenant, choice: PartitionChoice, store: (id: string | null) => Promise<T>): Promise<T>;
}

export const createPartitionClaims = ({ partitions }: Pick<Store, "partitions">, log: Logger): PartitionClaims => {
  /** By partition: how many are storing a document in it right now, and whether one of them made it. */
  const claims = new Map<string, { holders: number; made: boolean }>();

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
    async withPartition(tenant, choice, store) {
      if (choice.kind === "unnamed") return await store(null);
      const { id, created } = await take(tenant, choice);
      const claim = claims.get(id) ?? { holders: 0, made: false };
      claims.set(id, claim);
      claim.holders += 1;
      claim.made ||= created;
      try {
        const result = await store(id);
        claim.made = false;
        return result;
      } finally {
        claim.holders -= 1;
        if (claim.holders === 0) {
          claims.delete(id);
          if (claim.made) await removeIfEmpty(tenant, id);
        }
      }
    },
  };
};
