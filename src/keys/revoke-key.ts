import { isRecordId, notFound } from "../domain/ids.ts";
import type { Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/** Revokes a key at once: the next request with it is refused. @throws ApiError key_not_found */
export const revokeKey = async (
  store: Pick<Store, "keys" | "keyLimits">,
  tenant: Tenant,
  id: string,
): Promise<void> => {
  if (!isRecordId(id) || !(await store.keys.remove(tenant, id))) throw notFound("key_not_found");
  await store.keyLimits.remove(id);
};
