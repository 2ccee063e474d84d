import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDocumentGroups } from "../../../src/store/documents/document-group.ts";
import { createDocumentRecords, readKnownDocuments } from "../../../src/store/documents/document-records.ts";
import { documentRows, textRows } from "../../../src/store/documents/document-rows.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { noVectorRows } from "../../../src/store/search/live-indexes.ts";
import { sampleDocument, tenantOf } from "../../../tools/samples/records.ts";
import { noDamage, passiveHooks, silentLog } from "../open-temporary-store.ts";

const openGroups = async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-group-"));
  const { lance, connection } = await connect(folder);
  const opener = await createTableOpener(lance, connection, silentLog);
  const table = await opener.open(documentRows, passiveHooks);
  const texts = await opener.open(textRows, passiveHooks);
  const records = createDocumentRecords(table, noDamage, await readKnownDocuments(table));
  const { write } = createDocumentGroups({ records, texts });
  return {
    table,
    records,
    store: (document: ReturnType<typeof sampleDocument>) =>
      write([{ document, text: null, rows: new Map(), vectors: noVectorRows, replaces: false }]),
    async close() {
      connection.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

test("of a group whose commits fail in part, each document's caller hears of that document", async () => {
  const { table, records, store, close } = await openGroups();
  const stored = sampleDocument({ name: "before" });
  const kept = sampleDocument({ status: "pending", revision: null });
  await Promise.all([store(stored), store(kept)]);

  // The disk is full for the commit of new documents alone.
  table.lance.add = () => Promise.reject(new Error("No space left on device"));
  const added = sampleDocument({ name: "new" });
  const outcomes = await Promise.allSettled([
    store({ ...stored, name: "after" }),
    store({ ...kept, attempts: 2 }),
    store(added),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  const tenant = tenantOf();
  for (const read of [records, createDocumentRecords(table, noDamage, await readKnownDocuments(table))]) {
    expect((await read.find(tenant, stored.id))?.name).toBe("after");
    expect((await read.find(tenant, kept.id))?.attempts).toBe(2);
    expect(await read.find(tenant, added.id)).toBe(null);
  }
  await close();
});

test("new documents do not wait with those that are replaced while their table is tidied", async () => {
  const { table, records, store, close } = await openGroups();
  const [first, second, third] = ["first", "second", "third"].map((name) => sampleDocument({ name }));
  if (first === undefined || second === undefined || third === undefined) throw new Error("no samples");
  await store(first);

  const upkeep = Promise.withResolvers<void>();
  const tidied = table.beside(() => upkeep.promise);
  let isReplaced = false;
  const replaced = store({ ...first, name: "after" }).then(() => {
    isReplaced = true;
  });
  // One in the group of the replaced document, and one in a later group.
  await store(second);
  await store(third);
  expect(isReplaced).toBe(false);
  const tenant = tenantOf();
  expect((await records.findMany(tenant, [second.id, third.id])).map(({ name }) => name)).toEqual(["second", "third"]);
  upkeep.resolve();
  await Promise.all([tidied, replaced]);
  expect((await records.find(tenant, first.id))?.name).toBe("after");
  await close();
});
