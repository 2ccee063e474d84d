import { checkScope } from "../answers/scope.ts";
import { requireRecordId } from "../domain/ids.ts";
import type { Chat, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import { unnamedChat } from "./chat-name.ts";
import type { ChatSettings } from "./schema.ts";

export type ChatStores = Pick<Store, "chats" | "documents" | "partitions">;
export type ChatCaller = Tenant & { userId: string };

/**
 * Creates a chat.
 * @param id a new one
 * @throws ApiError document_not_found, partition_not_found, scope_conflict
 */
export const createChat = async (
  store: ChatStores,
  caller: ChatCaller,
  settings: ChatSettings,
  id: string,
): Promise<Chat> => {
  const chat = await addChat(store, caller, settings, id);
  if (chat === null) throw new Error("a new id is taken");
  return chat;
};

/**
 * Like `createChat`, with an id that the caller chose and that `isChatId` accepts.
 * @returns null where the id is taken, in any organization
 */
export const addChat = async (
  store: ChatStores,
  caller: ChatCaller,
  settings: ChatSettings,
  id: string,
): Promise<Chat | null> => {
  const scope = readScope(caller, settings, { documentId: null, partitionId: null });
  await checkScope(store, caller, scope);
  const title = settings.title ?? null;
  const name = settings.name ?? (title?.trim() ? title : null);
  const chat: Chat = {
    id,
    organizationId: caller.organizationId,
    name: name ?? unnamedChat,
    named: name !== null && name !== unnamedChat,
    title,
    userId: settings.userId ?? caller.userId,
    ...scope,
    public: settings.public ?? false,
    logoUrl: settings.logoUrl ?? null,
    brandSettings: settings.brandSettings ?? null,
    createdAt: Date.now(),
  };
  return (await store.chats.add(chat)) ? chat : null;
};

/**
 * The scope that the settings name, what they leave out taken from `otherwise`. For a key limited to a partition, a
 * scope without a partition is that partition: null does not widen it.
 * @throws ApiError 404 for ids that no record can have
 */
export const readScope = (
  caller: Tenant,
  settings: Pick<ChatSettings, "documentId" | "partitionId">,
  otherwise: { documentId: string | null; partitionId: string | null },
): { documentId: string | null; partitionId: string | null } => {
  const { documentId = otherwise.documentId } = settings;
  const named = settings.partitionId === undefined ? otherwise.partitionId : settings.partitionId;
  const partitionId = named ?? caller.partitionId;
  return {
    documentId: documentId === null ? null : requireRecordId(documentId, "document_not_found", "documentId"),
    partitionId: partitionId === null ? null : requireRecordId(partitionId, "partition_not_found", "partitionId"),
  };
};
