import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Chat, Message } from "../../../src/domain/records.ts";
import { sampleChat, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, type TemporaryStore } from "../open-temporary-store.ts";

let temporary: TemporaryStore;
const tenant = tenantOf();
beforeAll(async () => {
  temporary = await openTemporaryStore();
});
afterAll(() => temporary.dispose());

const sampleMessage = (chat: Chat, change: Partial<Message> = {}): Message => ({
  id: Bun.randomUUIDv7(),
  organizationId: chat.organizationId,
  chatId: chat.id,
  thread: "visitor-1",
  userId: "user",
  isSystem: false,
  message: "it's a question\n😀",
  sourceDocuments: [{ metadata: { id: "s1", content: "c", _distance: 0.25, page: 3 }, pageContent: "c" }],
  createdAt: Date.now(),
  ...change,
});

test("a chat id is taken only once in the store, also by concurrent calls", async () => {
  const { chats } = temporary.store;
  const wanted = [sampleChat({ id: "mine" }), sampleChat({ id: "mine", organizationId: "other" })];
  const added = await Promise.all([...wanted, ...wanted].map(chats.add));
  expect(added.filter(Boolean)).toHaveLength(1);
  const winner = wanted[added.indexOf(true)];
  expect(await chats.find("mine")).toEqual(winner ?? null);
  expect(await chats.get(tenantOf("third"), "mine")).toBeNull();
});

test("listed newest first, searched by name in whatever case, sorted by name and title", async () => {
  const { chats } = temporary.store;
  const own = tenantOf("lists");
  const make = (name: string, title: string | null, createdAt: number) =>
    sampleChat({ organizationId: "lists", name, title, createdAt });
  const all = [make("beta", "x", 1), make("Alpha", null, 2), make("gamma 100%", "Y", 3), make("ALPHA two", "z", 3)];
  for (const chat of all) await chats.add(chat);
  const names = async (
    options: { searchValue?: string; sortBy?: "name" | "title" },
    sortOrder: "asc" | "desc",
    skip = 0,
  ) => {
    const page = await chats.list(own, { sortBy: "createdAt", ...options }, { limit: 3, skip, sortOrder });
    return [page.total, ...page.items.map(({ name }) => name)];
  };
  const newest = await names({}, "desc");
  expect(newest[0]).toBe(4);
  expect(newest.slice(1, 3).sort()).toEqual(["ALPHA two", "gamma 100%"]);
  expect(newest[3]).toBe("Alpha");
  expect(await names({}, "desc", 3)).toEqual([4, "beta"]);
  expect(await names({ searchValue: "alpha" }, "asc")).toEqual([2, "Alpha", "ALPHA two"]);
  expect(await names({ searchValue: "0%" }, "asc")).toEqual([1, "gamma 100%"]);
  expect(await names({ sortBy: "name" }, "asc")).toEqual([4, "Alpha", "ALPHA two", "beta"]);
  expect(await names({ sortBy: "name" }, "desc")).toEqual([4, "gamma 100%", "beta", "ALPHA two"]);
  expect(await names({ sortBy: "title" }, "asc")).toEqual([4, "Alpha", "beta", "gamma 100%"]);
  expect(await names({ sortBy: "title" }, "desc")).toEqual([4, "ALPHA two", "gamma 100%", "beta"]);
});

test("patched together, no change is lost", async () => {
  const { chats } = temporary.store;
  const chat = sampleChat();
  await chats.add(chat);
  await Promise.all([
    chats.patch(tenant, chat.id, { public: true }),
    chats.patch(tenant, chat.id, { title: "It's", named: true }),
    chats.patch(tenant, chat.id, { logoUrl: "http://x/y.png", brandSettings: null }),
  ]);
  expect(await chats.get(tenant, chat.id)).toEqual({
    ...chat,
    public: true,
    title: "It's",
    named: true,
    logoUrl: "http://x/y.png",
    brandSettings: null,
  });
  expect(await chats.patch(tenantOf("other"), chat.id, { public: false })).toBeNull();
});

test("messages are listed by thread, oldest first, the newest if there are too many, and removed with the chat", async () => {
  const { chats, messages } = temporary.store;
  const chat = sampleChat();
  await chats.add(chat);
  const sent = [1, 2, 3, 4].map((createdAt) =>
    sampleMessage(chat, { createdAt, thread: createdAt % 2 === 0 ? "visitor-2" : "visitor-1" }),
  );
  await Promise.all(sent.map(messages.add));
  expect(await messages.list(tenant, chat.id, { thread: null, limit: 10 })).toEqual(sent);
  expect(await messages.list(tenant, chat.id, { thread: null, limit: 2 })).toEqual(sent.slice(2));
  expect(
    (await messages.list(tenant, chat.id, { thread: "visitor-2", limit: 10 })).map(({ createdAt }) => createdAt),
  ).toEqual([2, 4]);
  expect(await messages.list(tenantOf("other"), chat.id, { thread: null, limit: 10 })).toEqual([]);
  expect(await chats.remove(tenantOf("other"), chat.id)).toBe(false);
  expect(await chats.remove(tenant, chat.id)).toBe(true);
  expect(await chats.get(tenant, chat.id)).toBeNull();
  expect(await messages.list(tenant, chat.id, { thread: null, limit: 10 })).toEqual([]);
});
