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
  /** @param tenant null: of any organization */
  get(tenant: Tenant | null, id: string): Promise<Message | null>;
  /** The newest messages, at most `limit`, in order of time; with `thread` those of one visitor only. */
  list(tenant: Tenant, chatId: string, options: { thread: string | null; limit: number }): Promise<Message[]>;
  /** @throws IdTakenError where another message has its id, in any chat of any organization */
  add(message: Message): Promise<void>;
  /**
   * Adds messages of any chats in one commit.
   * @returns ids that other messages have, in any chat of any organization: their messages are not added
   */
  addMany(messages: readonly Message[]): Promise<ReadonlySet<string>>;
  /** The messages of all chats whose id comes after this one, by id. */
  listAfter(tenant: Tenant, id: string, limit: number): Promise<Message[]>;
  /** Which of these ids messages of these chats have, each with its chat. */
  known(tenant: Tenant, chatIds: readonly string[], ids: readonly string[]): Promise<Map<string, string>>;
}
