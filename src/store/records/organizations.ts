import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import type { Organization } from "../../domain/records.ts";
import type { OrganizationStore } from "../contract/accounts.ts";
import type { StoreTable } from "../engine/store-table.ts";

/** Organizations are few: all are in memory. */
export const createOrganizationStore = async (table: StoreTable<Organization>): Promise<OrganizationStore> => {
  const byName = new Map((await table.find({})).map((organization) => [organization.name, organization]));
  const byId = new Map([...byName.values()].map((organization) => [organization.id, organization]));
  const serialize = createKeyedMutex();
  return {
    getByName: async (name) => byName.get(name) ?? null,
    getById: (id) => byId.get(id) ?? null,
    list: async () => [...byName.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    upsert: (name) =>
      serialize(name, async () => {
        const existing = byName.get(name);
        if (existing !== undefined) return existing;
        const organization = { id: Bun.randomUUIDv7(), name, createdAt: Date.now() };
        await table.add(organization.id, [organization]);
        byName.set(name, organization);
        byId.set(organization.id, organization);
        return organization;
      }),
  };
};
