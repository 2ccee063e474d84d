import type { Chat, Message } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

/** How many of a chat's messages one answer carries: the newest. */
export const maxMessages = 1_000;

/**
 * The messages of a chat, oldest first.
 * @param thread narrows them to one visitor's; null: all
 */
export const listMessages = (store: Pick<Store, "messages">, chat: Chat, thread: string | null): Promise<Message[]> =>
  store.messages.list({ organizationId: chat.organizationId, partitionId: null }, chat.id, {
    thread,
    limit: maxMessages,
  });
