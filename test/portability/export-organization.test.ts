import { afterAll, expect, test } from "bun:test";
import { createInFlight } from "../../src/async/in-flight.ts";
import type { Message } from "../../src/domain/records.ts";
import type { Entry } from "../../src/portability/entry.ts";
import { exportOrganization } from "../../src/portability/export-organization.ts";
import { sampleChat, tenantOf } from "../../tools/samples/records.ts";
import { openTemporaryStore } from "../store/open-temporary-store.ts";

const temporary = await openTemporaryStore();
afterAll(() => temporary.dispose());

const messageOf = (chatId: string, organizationId: string): Message => ({
  id: Bun.randomUUIDv7(),
  organizationId,
  chatId,
  thread: "visitor-1",
  userId: "user",
  isSystem: false,
  message: "Which room?",
  sourceDocuments: [],
  createdAt: Date.now(),
});

test("a message of which the chat is gone already is left out", async () => {
  const { store } = temporary;
  const tenant = tenantOf("moved");
  const chat = sampleChat({ organizationId: "moved" });
  await store.chats.add(chat);
  await store.messages.add(messageOf(chat.id, "moved"));
  // As while a chat is removed: its row goes first.
  await store.messages.add(messageOf("gone", "moved"));
  const held = createInFlight(1_000_000).open(() => null);
  const entries: Entry[] = [];
  for await (const entry of exportOrganization(store, tenant, held)) entries.push(entry);
  const chatIds = entries.flatMap((entry) => (entry.kind === "message" ? [entry.record.chatId] : []));
  expect(chatIds).toEqual([chat.id]);
  expect(entries.at(-1)).toMatchObject({ kind: "end", records: { chat: 1, message: 1 } });
});
