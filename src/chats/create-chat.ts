import { randomUUIDv7 } from "bun";
import { requireRecordId } from "../http/fields.ts";
import { checkScope } from "../questions/scope.ts";
import type { Store } from "../store/contract.ts";
import type { Chat, Tenant } from "../store/records.ts";
import { UNNAMED } from "./chat-name.ts";
import type { ChatSettings } from "./schema.ts";

export type ChatStores = Pick<Store, "chats" | "documents" | "partitions">;
export type ChatCaller = Tenant & { userId: string };

/**
 * Creates a chat with an id of its own. A key limited to a partition creates chats of that partition.
 * @throws ApiError document_not_found, partition_not_found, scope_conflict
 */
export const createChat = async (store: ChatStores, caller: ChatCaller, settings: ChatSettings): Promise<Chat> => {
  const chat = await addChat(store, caller, settings, randomUUIDv7());
  if (chat === null) throw new Error("an id made just now is taken");
  return chat;
};

/**
 * The same with an id of the caller's choice, of a form that `isChatId` accepts.
 * @returns null where the id is taken, by whomever
 */
export const addChat = async (
  store: ChatStores,
  caller: ChatCaller,
  settings: ChatSettings,
  id: string,
): Promise<Chat | null> => {
  const scope = readScope(settings, { documentId: null, partitionId: caller.partitionId });
  await checkScope(store, caller, scope);
  const title = settings.title ?? null;
  const name = settings.name ?? (title?.trim() ? title : null);
  const chat: Chat = {
    id,
    organizationId: caller.organizationId,
    name: name ?? UNNAMED,
    named: name !== null && name !== UNNAMED,
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
 * The scope that the settings name, what they leave out taken from `otherwise`.
 * @throws ApiError 404 for ids that no record can have
 */
export const readScope = (
  settings: Pick<ChatSettings, "documentId" | "partitionId">,
  otherwise: { documentId: string | null; partitionId: string | null },
): { documentId: string | null; partitionId: string | null } => {
  const { documentId = otherwise.documentId, partitionId = otherwise.partitionId } = settings;
  return {
    documentId: documentId === null ? null : requireRecordId(documentId, "document_not_found"),
    partitionId: partitionId === null ? null : requireRecordId(partitionId, "partition_not_found"),
  };
};
