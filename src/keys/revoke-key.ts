import { grantedBy, isRecordId, notFound } from "../domain/ids.ts";
import type { KeyRecord, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/**
 * Revokes a key at once, and those that were issued on its word: the next request with one of them is refused.
 * @throws ApiError key_not_found
 */
export const revokeKey = async (
  store: Pick<Store, "keys" | "keyLimits">,
  tenant: Tenant,
  id: string,
): Promise<void> => {
  if (!isRecordId(id) || !(await store.keys.remove(tenant, id))) throw notFound("key_not_found");
  await store.keyLimits.remove(id);
  for (const granted of await keysGrantedBy(store, tenant, id)) {
    await store.keys.remove(tenant, granted.id);
    await store.keyLimits.remove(granted.id);
  }
};

/** The keys of the organization that were issued on the word of this one. */
export const keysGrantedBy = async (store: Pick<Store, "keys">, tenant: Tenant, id: string): Promise<KeyRecord[]> => {
  const ending = grantedBy(id);
  return (await allKeys(store, tenant)).filter((key) => key.id.endsWith(ending));
};

/** Whether it was itself issued on the word of another key of the organization. */
export const isGranted = async (store: Pick<Store, "keys">, tenant: Tenant, id: string): Promise<boolean> =>
  (await allKeys(store, tenant)).some((key) => id.endsWith(grantedBy(key.id)));

const allKeys = async ({ keys }: Pick<Store, "keys">, tenant: Tenant): Promise<KeyRecord[]> => {
  const paging = { limit: Number.MAX_SAFE_INTEGER, skip: 0, sortOrder: "asc" } as const;
  return (await keys.list({ ...tenant, partitionId: null }, paging)).items;
};
