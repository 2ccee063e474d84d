import { checkScope } from "../answers/scope.ts";
import type { Turns } from "../async/turns.ts";
import { invalidField } from "../domain/errors.ts";
import { isChatId, notFound, requireRecordId } from "../domain/ids.ts";
import type { Chat, Tenant } from "../domain/records.ts";
import { isWebAddress } from "../domain/web-address.ts";
import type { Page, Paging, Store } from "../store/contract.ts";
import type { ChatSettings } from "./schema.ts";

/** Name of an unnamed chat without messages. */
const unnamedChat = "New chat";
const maxCharacters = 60;

/** The first words of a message, at most 60 characters, cut between words where there is a gap. */
export const nameFromMessage = (message: string): string => {
  const text = message.replace(/\s+/gu, " ").trim();
  const characters = Array.from(text);
  if (characters.length <= maxCharacters) return text;
  const head = characters.slice(0, maxCharacters).join("");
  if (characters[maxCharacters] === " ") return head.trimEnd();
  const gap = head.lastIndexOf(" ");
  return gap > 0 ? head.slice(0, gap) : head;
};

/** The chat of this id. @throws ApiError chat_not_found */
export const findChat = async (store: Pick<Store, "chats">, tenant: Tenant, id: string): Promise<Chat> => {
  const chat = isChatId(id) ? await store.chats.get(tenant, id) : null;
  if (chat === null) throw notFound("chat_not_found");
  return chat;
};

/** One page of the chats that this tenant can see. */
export const listChats = (
  store: Pick<Store, "chats">,
  tenant: Tenant,
  query: { sortBy?: "createdAt" | "name" | "title"; searchValue?: string },
  paging: Paging,
): Promise<Page<Chat>> => {
  const { sortBy = "createdAt", searchValue } = query;
  return store.chats.list(tenant, { sortBy, ...(searchValue ? { searchValue } : {}) }, paging);
};

type ChatStores = Pick<Store, "chats" | "documents" | "partitions">;
type ChatCaller = Tenant & { userId: string };

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
const addChat = async (
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
    logoUrl: readLogoUrl(settings.logoUrl ?? null),
    brandSettings: settings.brandSettings ?? null,
    createdAt: Date.now(),
  };
  return (await store.chats.add(chat)) ? chat : null;
};

/** Pages of others may show it as a picture or link. Empty: there is none. @throws ApiError invalid_request */
const readLogoUrl = (address: string | null): string | null => {
  if (address === null || address === "") return null;
  if (!isWebAddress(address)) throw invalidField("logoUrl", "must be an address that begins with http:// or https://");
  return address;
};

/**
 * The scope that the settings name, what they leave out taken from `otherwise`. For a key limited to a partition, a
 * scope without a partition is that partition: null does not widen it.
 * @throws ApiError 404 for ids that no record can have
 */
const readScope = (
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

/**
 * Changes those settings of a chat that are given; creates it with this id where there is none.
 * @throws ApiError chat_not_found for an id that no chat can have, or that belongs to another organization or a partition
 * beyond the key's limit; document_not_found, partition_not_found, scope_conflict
 */
export const putChat = async (
  store: ChatStores,
  caller: ChatCaller,
  id: string,
  settings: ChatSettings,
): Promise<Chat> => {
  if (!isChatId(id)) throw notFound("chat_not_found");
  const chat = await store.chats.get(caller, id);
  if (chat !== null) return await changeChat(store, caller, chat, settings);
  if ((await store.chats.find(id)) === null) {
    const created = await addChat(store, caller, settings, id);
    if (created !== null) return created;
  }
  // Another request may have created the chat since. If it is one of the caller's own, the settings apply to it.
  const existing = await store.chats.get(caller, id);
  if (existing === null) throw notFound("chat_not_found");
  return await changeChat(store, caller, existing, settings);
};

const changeChat = async (store: ChatStores, caller: ChatCaller, chat: Chat, settings: ChatSettings): Promise<Chat> => {
  const change: Partial<Chat> = {};
  if (settings.documentId !== undefined || settings.partitionId !== undefined) {
    const scope = readScope(caller, settings, chat);
    await checkScope(store, caller, scope);
    Object.assign(change, scope);
  }
  if (settings.title !== undefined) change.title = settings.title;
  if (settings.userId !== undefined) change.userId = settings.userId;
  if (settings.public !== undefined) change.public = settings.public;
  if (settings.logoUrl !== undefined) change.logoUrl = readLogoUrl(settings.logoUrl);
  if (settings.brandSettings !== undefined) change.brandSettings = settings.brandSettings;
  const name = settings.name ?? (!chat.named && settings.title?.trim() ? settings.title : undefined);
  if (name !== undefined) Object.assign(change, { name, named: name !== unnamedChat });
  if (Object.keys(change).length === 0) return chat;
  const changed = await store.chats.patch(caller, chat.id, change);
  if (changed === null) throw notFound("chat_not_found");
  return changed;
};

/**
 * Deletes a chat and its messages, never between the check and the write of a message that is being sent.
 * @throws ApiError chat_not_found
 */
export const deleteChat = async (
  deps: { store: Pick<Store, "chats">; chatLocks: Turns },
  tenant: Tenant,
  id: string,
  signal: AbortSignal,
): Promise<void> => {
  if (!isChatId(id)) throw notFound("chat_not_found");
  const unlock = await deps.chatLocks.take(id, signal);
  try {
    if (!(await deps.store.chats.remove(tenant, id))) throw notFound("chat_not_found");
  } finally {
    unlock();
  }
};
