import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../src/store/engine/lance.ts";
import { openStore } from "../../../src/store/open.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, silentLog } from "../open-temporary-store.ts";
import { fill, model, publish, reopen, storedRows } from "../vectors/made-vectors.ts";

const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "carrel-reconcile-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test("documents whose rows a power loss took are restored if possible, and marked if not", async () => {
  const options = { dataDir, index, log: silentLog, syncWrites: false };
  const store = await openStore(options);
  const indexId = store.indexes.active().id;
  const whole = sampleDocument({ name: "whole", createdAt: 1 });
  const noSnippets = sampleDocument({ name: "no snippets", createdAt: 2 });
  const page = sampleDocument({ name: "page", createdAt: 3, sourceKind: "url", originalUrl: "https://example.org/" });
  const nothing = sampleDocument({ name: "nothing", createdAt: 4 });
  for (const document of [whole, noSnippets, page, nothing]) {
    await store.documents.publish(document, `text of ${document.name}`, sampleSnippets(document, [indexId], ["apple"]));
  }
  await store.close();

  const { connection } = await connect(join(dataDir, "tables"));
  const removeRows = async (table: string, column: string, revisions: string[]) => {
    const list = revisions.map((revision) => `'${revision}'`).join(", ");
    await (await connection.openTable(table)).delete(`${column} IN (${list})`);
  };
  await removeRows(`snippets_${indexId}`, "revision", [noSnippets.revision, page.revision, nothing.revision]);
  await removeRows("texts", "id", [nothing.revision, page.revision]);
  connection.close();
  await Bun.write(join(dataDir, "lock"), JSON.stringify({ pid: 1, host: "h", startedAt: "2024", address: null }));

  const reopened = await openStore(options);
  const { items } = await reopened.documents.list(tenantOf(), {}, { limit: 10, skip: 0, sortOrder: "asc" });
  expect(items.map(({ name, status, revision }) => [name, status, revision])).toEqual([
    ["whole", "processed", whole.revision],
    ["no snippets", "pending", null],
    ["page", "pending", null],
    ["nothing", "failed", null],
  ]);
  expect(items[3]?.error).toContain("ingest it again");
  const texts = await reopened.documents.getTexts(items);
  expect([...texts.values()].sort()).toEqual(["text of no snippets", "text of whole"]);
  const view = reopened.openSnippets();
  const scope = { documentId: null, partitionId: null, metadata: null };
  expect(await view.count(tenantOf(), scope)).toEqual({ snippets: 1, documents: 1 });
  view.close();
  await reopened.close();
});

test("vectors of revisions that no document names are removed; documents whose vectors are lost lack them", async () => {
  const { store, dataDir: folder, dispose } = await openTemporaryStore();
  const kept = await publish(store, ["apple", "pear"]);
  const lost = await publish(store, ["plum"], { createdAt: 1 });
  const removed = await publish(store, ["fig"]);
  const { id } = await store.vectors.begin(model);
  await fill(store);
  await store.close();
  expect(await storedRows(folder)).toHaveLength(4);

  const { connection } = await connect(join(folder, "tables"));
  const remove = async (table: string, where: string) => (await connection.openTable(table)).delete(where);
  await remove("documents", `id = '${removed.document.id}'`);
  await remove(`vectors_${id}`, `revision = '${lost.document.revision}'`);
  connection.close();
  await Bun.write(join(folder, "lock"), JSON.stringify({ pid: 1, host: "h", startedAt: "2024", address: null }));

  const again = await reopen(folder);
  expect(await again.vectors.pending()).toEqual({ documents: 1, snippets: 1, totalDocuments: 2, totalSnippets: 3 });
  expect((await again.vectors.lacking(5)).map((document) => document.id)).toEqual([lost.document.id]);
  await again.close();
  expect(await storedRows(folder)).toEqual([0, 1].map((position) => `${kept.document.revision} ${position}`));
  await dispose();
});
