import type { Chat, Tenant } from "../domain/records.ts";
import type { Page, Paging, Store } from "../store/contract.ts";

/** One page of the chats that this tenant can see. */
export const listChats = (
  store: Pick<Store, "chats">,
  tenant: Tenant,
  query: { sortBy?: "createdAt" | "name" | "title"; searchValue?: string },
  paging: Paging,
): Promise<Page<Chat>> => {
  const { sortBy = "createdAt", searchValue } = query;
  return store.chats.list(tenant, { sortBy, ...(searchValue ? { searchValue } : {}) }, paging);
};
