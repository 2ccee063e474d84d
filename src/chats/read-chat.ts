import { userThread, visitorThread } from "../access/visitor.ts";
import type { Chat, Message, Principal } from "../domain/records.ts";
import { keyAuthor, ownFeedback } from "../receipts/feedback.ts";
import type { Store } from "../store/contract.ts";
import type { ChatAccess } from "./chat-access.ts";
import { chatJson, chatJsonForVisitor, readMessageJson, readMessageJsonForVisitor } from "./chat-json.ts";

/** How many of a chat's messages one answer carries: the newest. */
export const maxMessages = 1_000;

/**
 * The messages of a chat, oldest first.
 * @param thread narrows them to one visitor's; null: all
 */
const listMessages = (store: Pick<Store, "messages">, chat: Chat, thread: string | null): Promise<Message[]> =>
  store.messages.list({ organizationId: chat.organizationId, partitionId: null }, chat.id, {
    thread,
    limit: maxMessages,
  });

/**
 * A chat with the messages that the caller may read, each with what the caller said of it: all messages or one end user's
 * with a key, its own as a visitor.
 * @param principal null for a visitor
 * @param userId end user whose conversation alone is read; undefined for all, and of no effect for a visitor
 */
export const readChat = async (
  store: Pick<Store, "feedback" | "messages">,
  { chat, visitor }: Pick<ChatAccess, "chat" | "visitor">,
  principal: Principal | null,
  userId: string | undefined,
) => {
  if (visitor === null) {
    const messages = await listMessages(store, chat, userId === undefined ? null : userThread(userId));
    const said = principal === null ? new Map() : await ownFeedback(store, keyAuthor(principal), messages);
    return { ...chatJson(chat), messages: messages.map((one) => readMessageJson(one, said.get(one.id))) };
  }
  const thread = visitorThread(visitor.id);
  // A visitor that is new has sent nothing yet.
  const messages = visitor.isKnown ? await listMessages(store, chat, thread) : [];
  const said = await ownFeedback(store, { kind: "visitor", thread }, messages);
  return {
    ...chatJsonForVisitor(chat),
    messages: messages.map((one) => readMessageJsonForVisitor(one, said.get(one.id))),
  };
};
