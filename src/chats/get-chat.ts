import { isChatId, notFound } from "../domain/ids.ts";
import type { Chat, Message, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/** How many of a chat's messages one answer carries: the newest. */
export const maxMessages = 1_000;

/** @throws ApiError chat_not_found */
export const findChat = async (store: Pick<Store, "chats">, tenant: Tenant, id: string): Promise<Chat> => {
  const chat = isChatId(id) ? await store.chats.get(tenant, id) : null;
  if (chat === null) throw notFound("chat_not_found");
  return chat;
};

/**
 * The messages of a chat, oldest first.
 * @param thread narrows them to one visitor's; null: all
 */
export const listMessages = (store: Pick<Store, "messages">, chat: Chat, thread: string | null): Promise<Message[]> =>
  store.messages.list({ organizationId: chat.organizationId, partitionId: null }, chat.id, {
    thread,
    limit: maxMessages,
  });
