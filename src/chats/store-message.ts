import type { KeyedQueue } from "../async/keyed-queue.ts";
import { notFound } from "../domain/ids.ts";
import type { Message, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import { nameFromMessage } from "./chat-name.ts";

/**
 * Stores a message, unless its chat has been deleted: a deleted chat leaves no message behind. The first message gives
 * an unnamed chat its name.
 * @throws ApiError chat_not_found
 */
export const storeMessage = async (
  deps: { store: Pick<Store, "chats" | "messages">; chatLocks: KeyedQueue },
  tenant: Tenant,
  message: Message,
  signal: AbortSignal,
): Promise<void> => {
  const lock = await deps.chatLocks.enter(message.chatId, signal);
  try {
    const chat = await deps.store.chats.get(tenant, message.chatId);
    if (chat === null) throw notFound("chat_not_found");
    await deps.store.messages.add(message);
    if (!chat.named && !message.isSystem) {
      await deps.store.chats.patch(tenant, chat.id, { name: nameFromMessage(message.message), named: true });
    }
  } finally {
    lock.release();
  }
};
