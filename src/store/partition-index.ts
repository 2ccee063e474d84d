import type { Partition, Tenant } from "../domain/records.ts";

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

export const createPartitionIndex = (partitions: readonly Partition[]): PartitionIndex => {
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
