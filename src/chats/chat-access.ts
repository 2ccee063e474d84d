import type { Config } from "../../config/schema.ts";
import { checkOrigin, type RecognizedVisitor, recognizeVisitor, userThread, visitorThread } from "../access/visitor.ts";
import { ApiError } from "../domain/errors.ts";
import { isChatId } from "../domain/ids.ts";
import type { Chat, Message, Principal, Tenant } from "../domain/records.ts";
import { keyAuthor, ownFeedback } from "../receipts/feedback.ts";
import type { Store } from "../store/contract.ts";
import { chatJson, chatJsonForVisitor, readMessageJson, readMessageJsonForVisitor } from "./chat-json.ts";
import { findChat } from "./chats.ts";

/** Access to a chat: of a caller with a key, or of a visitor of a public chat. */
export interface ChatAccess {
  chat: Chat;
  tenant: Tenant;
  /** Null for a caller with a key. */
  visitor: RecognizedVisitor | null;
}

interface AccessCall {
  readonly params: { id: string };
  readonly principal: Principal | null;
  readonly request: Request;
  readonly baseUrl: string;
}

/**
 * Checks that the caller may use the chat. Without a key, a private chat and one that does not exist look the same.
 * @throws ApiError chat_not_found with a key, key_missing and origin_forbidden without
 */
export const openChat = async (
  deps: { config: Config; store: Pick<Store, "ages" | "chats" | "secret"> },
  call: AccessCall,
): Promise<ChatAccess> => {
  const { principal } = call;
  if (principal !== null) {
    return { chat: await findChat(deps.store, principal, call.params.id), tenant: principal, visitor: null };
  }
  const chat = isChatId(call.params.id) ? await deps.store.chats.find(call.params.id) : null;
  if (chat === null || !chat.public) {
    throw new ApiError("key_missing", "Send an API key: the header `Authorization: Bearer <key>`.");
  }
  checkOrigin(call.request, call.baseUrl, deps.config);
  const visitor = recognizeVisitor(call.request, {
    secret: deps.store.secret,
    tokenDays: deps.config.publicChats.visitorTokenDays,
    baseUrl: call.baseUrl,
    now: Date.now(),
    ages: deps.store.ages,
  });
  return { chat, tenant: { organizationId: chat.organizationId, partitionId: null }, visitor };
};

/** Whether visitors may use the chat. */
export const isPublicChat = async (store: Pick<Store, "chats">, id: string): Promise<boolean> => {
  const chat = isChatId(id) ? await store.chats.find(id) : null;
  return chat?.public === true;
};

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
