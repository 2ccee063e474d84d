import { checkScope } from "../answers/scope.ts";
import { isChatId, notFound } from "../domain/ids.ts";
import type { Chat } from "../domain/records.ts";
import { unnamedChat } from "./chat-name.ts";
import { addChat, type ChatCaller, type ChatStores, readScope } from "./create-chat.ts";
import type { ChatSettings } from "./schema.ts";

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
  if (settings.logoUrl !== undefined) change.logoUrl = settings.logoUrl;
  if (settings.brandSettings !== undefined) change.brandSettings = settings.brandSettings;
  const name = settings.name ?? (!chat.named && settings.title?.trim() ? settings.title : undefined);
  if (name !== undefined) Object.assign(change, { name, named: name !== unnamedChat });
  if (Object.keys(change).length === 0) return chat;
  const changed = await store.chats.patch(caller, chat.id, change);
  if (changed === null) throw notFound("chat_not_found");
  return changed;
};
