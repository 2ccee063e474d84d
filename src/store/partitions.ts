import { createKeyedMutex } from "../async/keyed-mutex.ts";
import { ApiError } from "../domain/errors.ts";
import type { DocumentRecord, Partition, Tenant } from "../domain/records.ts";
import type { PartitionStore } from "./contract/accounts.ts";
import { allOf, equals, foldCase, isOneOf } from "./engine/filters.ts";
import { pageOf } from "./engine/paging.ts";
import type { StoreTable } from "./engine/store-table.ts";

/** Partitions are small and few: all are in memory, so that a name cannot be taken twice. */
export const createPartitionStore = async (
  table: StoreTable<Partition>,
  documents: StoreTable<DocumentRecord>,
): Promise<PartitionStore> => {
  const byId = new Map((await table.find({})).map((partition) => [partition.id, partition]));
  const nameKey = (organizationId: string, name: string): string => `${organizationId}/${name}`;
  const byName = new Map([...byId.values()].map((entry) => [nameKey(entry.organizationId, entry.name), entry]));
  const serialize = createKeyedMutex();

  const visible = (tenant: Tenant, partition: Partition | undefined): Partition | null =>
    partition !== undefined &&
    partition.organizationId === tenant.organizationId &&
    (tenant.partitionId === null || partition.id === tenant.partitionId)
      ? partition
      : null;

  /** The number of documents in each of some partitions. */
  const countEach = async (tenant: Tenant, ids: readonly string[]): Promise<Map<string, number>> => {
    const counts = new Map<string, number>();
    if (ids.length === 0) return counts;
    const where = allOf(equals("organizationId", tenant.organizationId), isOneOf("partitionId", ids));
    await documents.visit(["partitionId"], where, (row) => {
      const id = row.string("partitionId");
      counts.set(id, (counts.get(id) ?? 0) + 1);
      return true;
    });
    return counts;
  };

  return {
    get: async (tenant, id) => visible(tenant, byId.get(id)),
    getByName: async (tenant, name) => visible(tenant, byName.get(nameKey(tenant.organizationId, name))),
    upsert: (tenant, name) =>
      serialize(tenant.organizationId, async () => {
        const existing = byName.get(nameKey(tenant.organizationId, name));
        if (existing !== undefined && visible(tenant, existing) !== null)
          return { partition: existing, created: false };
        if (tenant.partitionId !== null) {
          throw new ApiError("key_limited", "The key is limited to one partition and cannot use another.");
        }
        const partition = {
          id: Bun.randomUUIDv7(),
          organizationId: tenant.organizationId,
          name,
          createdAt: Date.now(),
        };
        await table.add(partition.id, [partition]);
        byId.set(partition.id, partition);
        byName.set(nameKey(tenant.organizationId, name), partition);
        return { partition, created: true };
      }),
    add: (partition) =>
      serialize(partition.organizationId, async () => {
        const key = nameKey(partition.organizationId, partition.name);
        if (byId.has(partition.id) || byName.has(key)) return false;
        await table.add(partition.id, [partition]);
        byId.set(partition.id, partition);
        byName.set(key, partition);
        return true;
      }),
    isTaken: (id) => byId.has(id),
    async list(tenant, paging, searchValue) {
      const sought = searchValue === null ? "" : foldCase(searchValue);
      const found = [...byId.values()].filter(
        (partition) => visible(tenant, partition) !== null && foldCase(partition.name).includes(sought),
      );
      const { items, total } = pageOf(found, paging);
      const counts = await countEach(
        tenant,
        items.map((partition) => partition.id),
      );
      return { items: items.map((partition) => ({ ...partition, documents: counts.get(partition.id) ?? 0 })), total };
    },
    rename: (tenant, id, name) =>
      serialize(tenant.organizationId, async () => {
        const partition = visible(tenant, byId.get(id));
        if (partition === null) return null;
        const holder = byName.get(nameKey(partition.organizationId, name));
        if (holder !== undefined) return holder.id === id ? partition : "taken";
        const renamed = { ...partition, name };
        await table.upsert(id, [renamed]);
        byName.delete(nameKey(partition.organizationId, partition.name));
        byName.set(nameKey(partition.organizationId, name), renamed);
        byId.set(id, renamed);
        return renamed;
      }),
    remove: (tenant, id) =>
      serialize(tenant.organizationId, async () => {
        const partition = visible(tenant, byId.get(id));
        if (partition === null) return false;
        await table.remove(id, "id", [id]);
        byId.delete(id);
        byName.delete(nameKey(partition.organizationId, partition.name));
        return true;
      }),
    async countDocuments(tenant, id) {
      return (await countEach(tenant, visible(tenant, byId.get(id)) === null ? [] : [id])).get(id) ?? 0;
    },
  };
};
