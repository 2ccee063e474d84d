import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import type { Chat, Message, Tenant } from "../../domain/records.ts";
import { IdTakenError } from "../contract/documents.ts";
import type { ChatStore, MessageStore } from "../contract/records.ts";
import type { DamageRegister } from "../engine/damage.ts";
import { allOf, contains, equals, isOneOf, visibleTo } from "../engine/filters.ts";
import { byCreation, listAfter } from "../engine/paging.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { Sweep } from "../erasure/erasures.ts";
import { withoutContentOf } from "./chat-rows.ts";
import type { IsKnownDocument } from "./gone-documents.ts";

type KnownDamage = Pick<DamageRegister, "reject" | "settle">;

const sortColumns = { name: "nameFolded", title: "titleFolded" } as const;

export const createChatStore = (
  chats: StoreTable<Chat>,
  messages: StoreTable<Message>,
  damage: KnownDamage,
): ChatStore => {
  const serialize = createKeyedMutex();

  /** @throws ApiError data_damaged */
  const findWhere = async (where: string, id: string, organizationId: string | null): Promise<Chat | null> => {
    const [found] = await chats.find({ where, limit: 1 });
    if (found === undefined) await damage.reject(chats.definition.name, organizationId, `The chat ${id} is damaged`);
    return found ?? null;
  };
  const find = (id: string): Promise<Chat | null> => findWhere(equals("id", id), id, null);
  const get = (tenant: Tenant, id: string): Promise<Chat | null> =>
    findWhere(allOf(visibleTo(tenant), equals("id", id)), id, tenant.organizationId);

  return {
    find,
    get,
    async list(tenant, { searchValue, sortBy }, paging) {
      const where = allOf(visibleTo(tenant), searchValue !== undefined && contains("nameFolded", searchValue));
      const orderBy =
        sortBy === "createdAt"
          ? byCreation(paging.sortOrder)
          : [{ column: sortColumns[sortBy], ascending: paging.sortOrder === "asc" }, ...byCreation(paging.sortOrder)];
      const columns = ["id", "createdAt", "nameFolded", "titleFolded"];
      const [ids, total] = await Promise.all([
        chats.scan(columns, { where, orderBy, limit: paging.limit, offset: paging.skip }, (row) => row.string("id")),
        chats.count(where),
      ]);
      const found = new Map(
        (ids.length === 0 ? [] : await chats.find({ where: isOneOf("id", ids) })).map((chat) => [chat.id, chat]),
      );
      return { items: ids.map((id) => found.get(id)).filter((chat) => chat !== undefined), total };
    },
    listAfter: (tenant, id, limit) => listAfter(chats, visibleTo(tenant), id, limit),
    add: (chat) =>
      serialize(chat.id, async () => {
        return (await chats.insert(chat.id, [chat])).size === 0;
      }),
    patch: (tenant, id, change) =>
      serialize(id, async () => {
        const chat = await get(tenant, id);
        if (chat === null) return null;
        const changed = { ...chat, ...change, id, organizationId: chat.organizationId };
        await chats.upsert(id, [changed]);
        return changed;
      }),
    remove: (tenant, id) =>
      serialize(id, async () => {
        if ((await get(tenant, id)) === null) return false;
        // The chat first: without it, none of its messages is seen, and a crash in between leaves no half of it. Messages
        // that stay are removed before the erasure that this notes (`createLeftMessagesSweep`).
        await chats.remove(id, "id", [id]);
        await messages.remove(id, "chatId", [id]).catch(() => undefined);
        damage.settle((one) => one.id === id || one.belongsTo === id);
        return true;
      }),
  };
};

interface MessageStoreOptions {
  isKnown: IsKnownDocument;
  /** A stored message cites a document that was removed meanwhile: its content has to leave the disk. */
  onStale(): Promise<void>;
  damage: KnownDamage;
}

export const createMessageStore = (
  messages: StoreTable<Message>,
  { isKnown, onStale, damage }: MessageStoreOptions,
): MessageStore => {
  const withoutGone = (message: Message): Message =>
    withoutContentOf(message, (id) => !isKnown(id, message.organizationId));

  const addMany = async (many: readonly Message[]): Promise<ReadonlySet<string>> => {
    const added = many.map(withoutGone);
    const scopes = added.map(({ chatId }) => chatId);
    const held = await messages.insert(scopes, added);
    if (added.some((message) => withoutGone(message) !== message)) await onStale();
    return held;
  };
  return {
    async get(tenant, id) {
      const where = allOf(equals("id", id), tenant !== null && equals("organizationId", tenant.organizationId));
      const found = (await messages.find({ where, limit: 1 }))[0];
      return found === undefined ? null : withoutGone(found);
    },
    async list(tenant, chatId, { thread, limit }) {
      const where = allOf(
        equals("organizationId", tenant.organizationId),
        equals("chatId", chatId),
        thread !== null && equals("thread", thread),
      );
      const columns = ["id", "createdAt"];
      const page = { where, orderBy: byCreation("desc"), limit };
      const ids = await messages.scan(columns, page, (row) => row.string("id"));
      const found =
        ids.length === 0 ? [] : await messages.find({ where: allOf(equals("chatId", chatId), isOneOf("id", ids)) });
      // A conversation with a hole would be another one.
      const what = `Messages of the chat ${chatId} are damaged`;
      await damage.reject(messages.definition.name, tenant.organizationId, what, chatId);
      return found.map(withoutGone).sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    async add(message) {
      if ((await addMany([message])).size > 0) throw new IdTakenError("message", message.id);
    },
    addMany,
    async listAfter({ organizationId }, id, limit) {
      return (await listAfter(messages, equals("organizationId", organizationId), id, limit)).map(withoutGone);
    },
    async known({ organizationId }, chatIds, ids) {
      const where = allOf(equals("organizationId", organizationId), isOneOf("chatId", chatIds), isOneOf("id", ids));
      return new Map(
        await messages.scan(["id", "chatId"], { where }, (row) => [row.string("id"), row.string("chatId")] as const),
      );
    },
  };
};

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
