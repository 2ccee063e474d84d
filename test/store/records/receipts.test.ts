import { expect, test } from "bun:test";
import type { KeptReceipt } from "../../../src/domain/records.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import { sampleChat } from "../../../tools/samples/records.ts";
import { openTemporaryStore } from "../open-temporary-store.ts";

test("a receipt that waits to be written is left out where its chat is deleted meanwhile", async () => {
  const { store, dataDir, dispose } = await openTemporaryStore();
  const [kept, deleted] = [sampleChat(), sampleChat()];
  for (const chat of [kept, deleted]) {
    await store.chats.add(chat);
    const receipt: KeptReceipt = {
      id: `of ${chat.id}`,
      organizationId: chat.organizationId,
      partitionId: null,
      chatId: chat.id,
      messageId: null,
      thread: null,
      documentIds: [],
      question: "When?",
      trace: {},
      createdAt: Date.now(),
    };
    store.receipts.add(receipt);
  }
  await store.chats.remove({ organizationId: deleted.organizationId, partitionId: null }, deleted.id);
  await store.close();
  const { connection } = await connect(`${dataDir}/tables`);
  const rows = await (await connection.openTable("receipts")).query().select(["id"]).toArray();
  expect(rows.map(({ id }) => id)).toEqual([`of ${kept.id}`]);
  connection.close();
  await dispose();
});
