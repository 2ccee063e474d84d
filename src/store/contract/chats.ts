import type { Chat, Message, Tenant } from "../../domain/records.ts";
import type { Page, Paging } from "./paging.ts";

export interface ChatStore {
  /** In any organization: a chat id is unique in the whole store. */
  find(id: string): Promise<Chat | null>;
  get(tenant: Tenant, id: string): Promise<Chat | null>;
  list(
    tenant: Tenant,
    filter: { searchValue?: string; sortBy: "createdAt" | "name" | "title" },
    paging: Paging,
  ): Promise<Page<Chat>>;
  /** The chats whose id comes after this one, by id. */
  listAfter(tenant: Tenant, id: string, limit: number): Promise<Chat[]>;
  /** Adds the chat. @returns false if the id is taken, in any organization */
  add(chat: Chat): Promise<boolean>;
  patch(tenant: Tenant, id: string, change: Partial<Chat>): Promise<Chat | null>;
  /** Removes the chat and its messages. */
  remove(tenant: Tenant, id: string): Promise<boolean>;
}

export interface MessageStore {
  /** The newest messages, at most `limit`, in order of time; with `thread` those of one visitor only. */
  list(tenant: Tenant, chatId: string, options: { thread: string | null; limit: number }): Promise<Message[]>;
  add(message: Message): Promise<void>;
  /** Adds messages of any chats in one commit. */
  addMany(messages: readonly Message[]): Promise<void>;
  /** The messages of all chats whose id comes after this one, by id. */
  listAfter(tenant: Tenant, id: string, limit: number): Promise<Message[]>;
  /** Which of these ids messages of these chats have. */
  known(tenant: Tenant, chatIds: readonly string[], ids: readonly string[]): Promise<Set<string>>;
}
