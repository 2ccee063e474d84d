import { notFound } from "../domain/ids.ts";
import type { Message, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import { nameFromMessage } from "./chat-name.ts";
import type { ThreadQueue } from "./thread-queue.ts";

/**
 * Stores a message, unless its chat is gone: a deleted chat leaves no message behind. The first message names a chat
 * that nobody has named.
 * @throws ApiError chat_not_found
 */
export const storeMessage = async (
  deps: { store: Pick<Store, "chats" | "messages">; chatLocks: ThreadQueue },
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
