import type { Store } from "../store/contract.ts";
import { type ChatAccess, userThread, visitorThread } from "./chat-access.ts";
import { chatJson, chatJsonForVisitor, messageJson, messageJsonForVisitor } from "./chat-json.ts";
import { listMessages } from "./list-messages.ts";

/**
 * A chat with the messages that the caller may read: all of them or one end user's with a key, its own as a visitor.
 * @param userId end user whose conversation alone is read; undefined for all, and of no effect for a visitor
 */
export const readChat = async (
  store: Pick<Store, "messages">,
  { chat, visitor }: Pick<ChatAccess, "chat" | "visitor">,
  userId: string | undefined,
) => {
  if (visitor === null) {
    const messages = await listMessages(store, chat, userId === undefined ? null : userThread(userId));
    return { ...chatJson(chat), messages: messages.map(messageJson) };
  }
  // A visitor that is new has sent nothing yet.
  const messages = visitor.isKnown ? await listMessages(store, chat, visitorThread(visitor.id)) : [];
  return { ...chatJsonForVisitor(chat), messages: messages.map(messageJsonForVisitor) };
};
