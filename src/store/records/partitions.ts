import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import { ApiError } from "../../domain/errors.ts";
import type { DocumentRecord, Partition, Tenant } from "../../domain/records.ts";
import { IdTakenError } from "../contract/documents.ts";
import type { PartitionStore } from "../contract/records.ts";
import type { DamageRegister } from "../engine/damage.ts";
import { allOf, equals, foldCase, isOneOf } from "../engine/filters.ts";
import { pageOf } from "../engine/paging.ts";
import type { StoreTable } from "../engine/store-table.ts";

/** All partitions in memory, by id and by name. */
interface PartitionIndex {
  has(id: string): boolean;
  isNameTaken(organizationId: string, name: string): boolean;
  /** As the tenant sees it: a key limited to a partition sees that one alone. */
  get(tenant: Tenant, id: string): Partition | null;
  getByName(tenant: Tenant, name: string): Partition | null;
  /** Those that the tenant sees, in no order. */
  list(tenant: Tenant): Partition[];
  /** Adds a partition, or puts it in place of the one with its id. */
  put(partition: Partition): void;
  remove(partition: Partition): void;
}

const isVisible = (tenant: Tenant, { organizationId, id }: Partition): boolean =>
  organizationId === tenant.organizationId && (tenant.partitionId === null || id === tenant.partitionId);

const nameKey = (organizationId: string, name: string): string => `${organizationId}/${name}`;

const createPartitionIndex = (partitions: readonly Partition[]): PartitionIndex => {
  const byId = new Map<string, Partition>();
  const byName = new Map<string, Partition>();
  const visible = (tenant: Tenant, found: Partition | undefined): Partition | null =>
    found !== undefined && isVisible(tenant, found) ? found : null;

  const put = (partition: Partition): void => {
    const before = byId.get(partition.id);
    if (before !== undefined) byName.delete(nameKey(before.organizationId, before.name));
    byId.set(partition.id, partition);
    byName.set(nameKey(partition.organizationId, partition.name), partition);
  };
  for (const partition of partitions) put(partition);

  return {
    has: (id) => byId.has(id),
    isNameTaken: (organizationId, name) => byName.has(nameKey(organizationId, name)),
    get: (tenant, id) => visible(tenant, byId.get(id)),
    getByName: (tenant, name) => visible(tenant, byName.get(nameKey(tenant.organizationId, name))),
    list: (tenant) => [...byId.values()].filter((partition) => isVisible(tenant, partition)),
    put,
    remove({ id, organizationId, name }) {
      byId.delete(id);
      byName.delete(nameKey(organizationId, name));
    },
  };
};

/** Partitions are small and few: all are in memory, so that a name cannot be taken twice. */
export const createPartitionStore = async (
  table: StoreTable<Partition>,
  documents: StoreTable<DocumentRecord>,
  damage: Pick<DamageRegister, "reject">,
): Promise<PartitionStore> => {
  const known = createPartitionIndex(await table.find({}));
  const serialize = createKeyedMutex();

  /** @returns false if the id is held, in any organization */
  const add = async (partition: Partition): Promise<boolean> => {
    if (known.has(partition.id) || (await table.insert(partition.id, [partition])).size > 0) return false;
    known.put(partition);
    return true;
  };

  return {
    async get(tenant, id) {
      const found = known.get(tenant, id);
      if (found === null)
        await damage.reject(table.definition.name, tenant.organizationId, `The partition ${id} is damaged`);
      return found;
    },
    getByName: async (tenant, name) => known.getByName(tenant, name),
    upsert: (tenant, name) =>
      serialize(tenant.organizationId, async () => {
        const existing = known.getByName(tenant, name);
        if (existing !== null) return { partition: existing, created: false };
        if (tenant.partitionId !== null) {
          throw new ApiError("key_limited", "The key is limited to one partition and cannot use another.");
        }
        const { organizationId } = tenant;
        const partition = { id: Bun.randomUUIDv7(), organizationId, name, createdAt: Date.now() };
        if (!(await add(partition))) throw new IdTakenError("partition", partition.id);
        return { partition, created: true };
      }),
    add: (partition) =>
      serialize(partition.organizationId, async () =>
        known.isNameTaken(partition.organizationId, partition.name) ? false : await add(partition),
      ),
    isTaken: known.has,
    async list(tenant, paging, searchValue) {
      const sought = searchValue === null ? "" : foldCase(searchValue);
      const found = known.list(tenant).filter(({ name }) => foldCase(name).includes(sought));
      const { items, total } = pageOf(found, paging);
      const ids = items.map(({ id }) => id);
      const counts = await countDocumentsIn(documents, tenant, ids);
      return { items: items.map((partition) => ({ ...partition, documents: counts.get(partition.id) ?? 0 })), total };
    },
    rename: (tenant, id, name) =>
      serialize(tenant.organizationId, async () => {
        const partition = known.get(tenant, id);
        if (partition === null) return null;
        if (partition.name === name) return partition;
        if (known.isNameTaken(partition.organizationId, name)) return "taken";
        const renamed = { ...partition, name };
        await table.upsert(id, [renamed]);
        known.put(renamed);
        return renamed;
      }),
    remove: (tenant, id) =>
      serialize(tenant.organizationId, async () => {
        const partition = known.get(tenant, id);
        if (partition === null) return false;
        await table.remove(id, "id", [id]);
        known.remove(partition);
        return true;
      }),
    async countDocuments(tenant, id) {
      if (known.get(tenant, id) === null) return 0;
      return (await countDocumentsIn(documents, tenant, [id])).get(id) ?? 0;
    },
  };
};

/** The number of documents in each of some partitions, by partition id; those without documents are left out. */
const countDocumentsIn = async (
  documents: StoreTable<DocumentRecord>,
  { organizationId }: Tenant,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  if (ids.length === 0) return counts;
  const where = allOf(equals("organizationId", organizationId), isOneOf("partitionId", ids));
  await documents.visit(["partitionId"], where, (row) => {
    const id = row.string("partitionId");
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return true;
  });
  return counts;
};
