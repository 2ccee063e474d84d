import type { KeyRecord } from "../../domain/records.ts";
import type { KeyStore } from "../contract/accounts.ts";
import { IdTakenError } from "../contract/documents.ts";
import { isVisibleTo } from "../engine/filters.ts";
import { pageOf } from "../engine/paging.ts";
import type { StoreTable } from "../engine/store-table.ts";

/** Keys are cached in memory by their hash, because every request looks one up. */
export const createKeyStore = async (table: StoreTable<KeyRecord>): Promise<KeyStore> => {
  const byHash = new Map((await table.find({})).map((key) => [key.hash, key]));
  const byId = new Map([...byHash.values()].map((key) => [key.id, key]));
  return {
    getByHash: (hash) => byHash.get(hash) ?? null,
    getById: (id) => byId.get(id) ?? null,
    isEmpty: () => byHash.size === 0,
    async add(key) {
      if ((await table.insert(key.id, [key])).size > 0) throw new IdTakenError("key", key.id);
      byHash.set(key.hash, key);
      byId.set(key.id, key);
    },
    async change(key) {
      const before = byId.get(key.id);
      await table.change([key.id], () => key);
      if (before !== undefined) byHash.delete(before.hash);
      byHash.set(key.hash, key);
      byId.set(key.id, key);
    },
    list: async (tenant, paging) => pageOf([...byHash.values()].filter(isVisibleTo(tenant)), paging),
    async remove(tenant, id) {
      const key = byId.get(id);
      if (key === undefined || !isVisibleTo(tenant)(key)) return false;
      byId.delete(id);
      byHash.delete(key.hash); // refused from now on, even before it is removed from the disk
      try {
        await table.remove(id, "id", [id]);
      } catch (error) {
        byHash.set(key.hash, key);
        byId.set(id, key);
        throw error;
      }
      return true;
    },
  };
};
