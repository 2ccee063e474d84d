import type { Chat, Message, Tenant } from "../../domain/records.ts";
import type { Page, Paging } from "./paging.ts";

export interface ChatStore {
  /** Whatever the organization: a chat id is unique in the whole store. */
  find(id: string): Promise<Chat | null>;
  get(tenant: Tenant, id: string): Promise<Chat | null>;
  list(
    tenant: Tenant,
    filter: { searchValue?: string; sortBy: "createdAt" | "name" | "title" },
    paging: Paging,
  ): Promise<Page<Chat>>;
  /** Adds the chat. @returns false where the id is taken, by whomever */
  add(chat: Chat): Promise<boolean>;
  patch(tenant: Tenant, id: string, change: Partial<Chat>): Promise<Chat | null>;
  /** The chat and its messages. */
  remove(tenant: Tenant, id: string): Promise<boolean>;
}

export interface MessageStore {
  /** Oldest first; `thread` narrows to one visitor's. At most `limit` of the newest. */
  list(tenant: Tenant, chatId: string, options: { thread: string | null; limit: number }): Promise<Message[]>;
  add(message: Message): Promise<void>;
}
