import { isChatId, notFound } from "../domain/ids.ts";
import type { Chat, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/** The chat of this id. @throws ApiError chat_not_found */
export const findChat = async (store: Pick<Store, "chats">, tenant: Tenant, id: string): Promise<Chat> => {
  const chat = isChatId(id) ? await store.chats.get(tenant, id) : null;
  if (chat === null) throw notFound("chat_not_found");
  return chat;
};
