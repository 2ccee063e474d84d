import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "../../../src/domain/records.ts";
import type { Store } from "../../../src/store/contract.ts";
import { documentRows, textRows } from "../../../src/store/documents/document-rows.ts";
import { toArrowTable } from "../../../src/store/engine/arrow-rows.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import type { TableDefinition } from "../../../src/store/engine/table-definition.ts";
import { openStore } from "../../../src/store/open.ts";
import { partitionRows } from "../../../src/store/records/accounts.ts";
import { chatRows, messageRows } from "../../../src/store/records/chat-rows.ts";
import { sampleChat, sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { silentLog } from "../open-temporary-store.ts";

const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
const other = { organizationId: "other-organization", partitionId: null };
const paging = { limit: 100, skip: 0, sortOrder: "asc" } as const;

const messageOf = (chatId: string, organizationId: string, message: string, id: string): Message => ({
  id,
  organizationId,
  chatId,
  thread: "t",
  userId: "u",
  isSystem: false,
  message,
  sourceDocuments: [],
  createdAt: 1,
});

test("rows that share an id are one record or get ids of their own; nothing is lost, and it stays so", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-repeated-"));
  const open = (): Promise<Store> => openStore({ dataDir, index, log: silentLog, syncWrites: false });
  const own = tenantOf();
  const before = await open();
  const { partition } = await before.partitions.upsert(own, "Shared");
  const document = sampleDocument({
    name: "kept",
    partitionId: partition.id,
    updatedAt: 5,
    revision: Bun.randomUUIDv7(),
  });
  await before.documents.publish(document, "own text", sampleSnippets(document, [before.indexes.active().id], ["own"]));
  const chat = sampleChat({ id: "chat" });
  await before.chats.add(chat);
  const message = messageOf("chat", own.organizationId, "mine", Bun.randomUUIDv7());
  await before.messages.add(message);
  await before.close();

  // What imports side by side left behind.
  const { connection } = await connect(join(dataDir, "tables"));
  const put = async <T>(definition: TableDefinition<T>, rows: T[]): Promise<void> => {
    const table = await connection.openTable(definition.name);
    await table.add(toArrowTable(definition.schema, rows.map(definition.encode)));
    table.close();
  };
  const revision = Bun.randomUUIDv7();
  const theirs = {
    ...document,
    ...other,
    partitionId: partition.id,
    name: "theirs",
    updatedAt: 3,
    revision,
    status: "processed" as const,
  };
  await put(documentRows, [{ ...document, name: "older copy", updatedAt: 2, revision: Bun.randomUUIDv7() }, theirs]);
  await put(textRows, [
    { id: revision, organizationId: other.organizationId, documentId: document.id, text: "their text" },
  ]);
  await put(partitionRows, [{ ...partition, ...{ organizationId: other.organizationId } }]);
  // Messages of chats that are gone are swept: each has its chat.
  await put(chatRows, [
    { ...chat, organizationId: other.organizationId, createdAt: 0 },
    { ...chat, id: "another" },
  ]);
  await put(messageRows, [
    messageOf("chat", other.organizationId, "theirs", message.id),
    messageOf("another", own.organizationId, "of another chat", message.id),
  ]);
  connection.close();

  for (const start of ["first", "second"]) {
    const store = await open();
    const mine = await store.documents.list(own, {}, paging);
    expect(
      mine.items.map(({ id, name }) => ({ id, name })),
      start,
    ).toEqual([{ id: document.id, name: "kept" }]);
    const { items } = await store.documents.list(other, {}, paging);
    expect(items).toMatchObject([{ name: "theirs", status: "pending", revision: null }]);
    const [moved] = items;
    expect(moved?.id).not.toBe(document.id);
    expect(await store.documents.getText(moved as typeof document)).toBe("their text");
    const partitions = (await store.partitions.list(other, paging, null)).items;
    expect(partitions).toMatchObject([{ name: "Shared", documents: 1 }]);
    expect(partitions[0]?.id).toBe(moved?.partitionId as string);
    expect((await store.partitions.list(own, paging, null)).items).toMatchObject([{ id: partition.id, documents: 1 }]);
    const [theirChat] = await store.chats.listAfter(other, "", 10);
    expect((await store.chats.listAfter(own, "", 10)).map(({ id }) => id)).toEqual(["another", "chat"]);
    const said = async (tenant: typeof own, id: string) =>
      (await store.messages.list(tenant, id, { thread: null, limit: 10 })).map((one) => one.message);
    expect(await said(own, "chat")).toEqual(["mine"]);
    expect(await said(other, theirChat?.id ?? "")).toEqual(["theirs"]);
    const ids = [
      ...(await store.messages.listAfter(own, "", 10)),
      ...(await store.messages.listAfter(other, "", 10)),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(await store.documents.remove(own, "nothing")).toBe(false);
    await store.close();
  }
  await rm(dataDir, { recursive: true, force: true });
});

test("no table takes a second row of an id, whoever sends it", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-repeated-"));
  const store = await openStore({ dataDir, index, log: silentLog, syncWrites: false });
  const own = tenantOf();
  const ids = [store.indexes.active().id];
  const document = sampleDocument({ revision: Bun.randomUUIDv7() });
  const publicationOf = (organizationId: string, text: string) => {
    const revised = { ...document, organizationId, revision: Bun.randomUUIDv7() };
    return { document: revised, text, snippets: sampleSnippets(revised, ids, [text]) };
  };
  const writes = [
    store.documents.publishNew([publicationOf(own.organizationId, "one")]),
    store.documents.publishNew([publicationOf(other.organizationId, "two")]),
    store.documents.add({ ...document, organizationId: "third", revision: null, status: "pending" }, "three"),
  ];
  expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(await store.documents.getText((await store.documents.get(own, document.id)) ?? document)).toBe("one");
  const id = Bun.randomUUIDv7();
  const held = await Promise.all(
    ["a", "b", "a"].map((chatId) => store.messages.addMany([messageOf(chatId, own.organizationId, chatId, id)])),
  );
  expect(held.map(({ size }) => size)).toEqual([0, 1, 1]);
  const partition = { id: Bun.randomUUIDv7(), organizationId: own.organizationId, name: "P", createdAt: 1 };
  const partitions = [partition, { ...partition, ...other, name: "Q" }].map(({ id: same, organizationId, name }) =>
    store.partitions.add({ id: same, organizationId, name, createdAt: 1 }),
  );
  expect(await Promise.all(partitions)).toEqual([true, false]);
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});
