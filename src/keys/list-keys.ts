import type { KeyRecord, Tenant } from "../domain/records.ts";
import type { Page, Paging, Store } from "../store/contract.ts";

/** Keys of the tenant's organization, newest first by default; a limited tenant sees only those of its partition. */
export const listKeys = (store: Pick<Store, "keys">, tenant: Tenant, paging: Paging): Promise<Page<KeyRecord>> =>
  store.keys.list(tenant, paging);
