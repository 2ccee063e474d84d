import type { Config } from "../../config/schema.ts";
import { checkOrigin, type RecognizedVisitor, recognizeVisitor } from "../access/visitor.ts";
import { ApiError } from "../domain/errors.ts";
import { isChatId } from "../domain/ids.ts";
import type { Chat, Principal, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
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
