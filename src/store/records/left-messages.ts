import type { Chat, Message } from "../../domain/records.ts";
import type { DamageRegister } from "../engine/damage.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { Sweep } from "../erasure/erasures.ts";

/** Chats whose messages are removed in one commit. */
const pageChats = 500;

/**
 * Removes messages whose chat is gone: a crash or a full disk came between the removal of the chat and theirs, or the
 * message was stored in that moment. It looks for ids that no chat has, so removing a chat needs no note of its own. Messages
 * of a chat whose row is damaged stay.
 */
export const createLeftMessagesSweep = (
  chats: StoreTable<Chat>,
  messages: StoreTable<Message>,
  damage: Pick<DamageRegister, "list">,
): Sweep => ({
  after: chats.definition.name,
  of: `${messages.definition.name} of removed chats`,
  async run() {
    const named = new Set(await messages.scan(["chatId"], {}, (row) => row.string("chatId")));
    if (named.size === 0) return;
    // Read after the messages: a chat is stored before its first message.
    for (const id of await chats.scan(["id"], {}, (row) => row.string("id"))) named.delete(id);
    const damaged = damage.list().filter(({ where }) => where === chats.definition.name);
    if (damaged.some(({ id }) => id === null)) return; // any of them may be that chat
    for (const { id } of damaged) named.delete(id ?? "");
    const gone = [...named];
    for (let start = 0; start < gone.length; start += pageChats) {
      const ids = gone.slice(start, start + pageChats);
      await messages.remove(ids, "chatId", ids);
    }
  },
});
