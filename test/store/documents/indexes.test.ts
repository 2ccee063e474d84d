import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { IndexesChangedError } from "../../../src/store/contract.ts";
import { openStore } from "../../../src/store/open.ts";
import { sampleDocument, sampleSnippets, sampleVector, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, silentLog } from "../open-temporary-store.ts";

const tenant = tenantOf();
const scope = { documentId: null, partitionId: null, metadata: null };
const next = { provider: "ollama", model: "nomic", dimensions: 4, analysisVersion: 2 };
const short = (position: number) => sampleVector(position, 4);

const tablesOf = async (dataDir: string) =>
  (await readdir(join(dataDir, "tables"))).filter((name) => name.startsWith("snippets_")).length;

test("a change of model: the new index is built beside the old, survives a restart and becomes active at once", async () => {
  const { store: first, dataDir } = await openTemporaryStore();
  const old = first.indexes.active();
  const documents = [sampleDocument(), sampleDocument(), sampleDocument()];
  for (const document of documents) {
    await first.documents.publish(document, "apple", sampleSnippets(document, [old.id], ["apple"]));
  }
  const building = await first.indexes.begin(next);
  expect(building).toMatchObject({ ...next, state: "building" });
  expect(await first.indexes.begin(next)).toEqual(building);
  expect(await first.indexes.missing(2)).toEqual({ documents: documents.slice(0, 2), done: 0, total: 3 });
  const [one, two, three] = documents as [(typeof documents)[0], (typeof documents)[0], (typeof documents)[0]];
  await first.indexes.fill(one, sampleSnippets(one, [building.id], ["apple"], short));
  await first.indexes.fill(one, sampleSnippets(one, [building.id], ["apple"], short)); // once is enough
  await first.close();

  const store = await openStore({
    dataDir,
    index: { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 },
    log: silentLog,
    syncWrites: false,
  });
  expect(store.indexes.active()).toEqual(old);
  expect(store.indexes.building()).toEqual(building);
  const fresh = sampleDocument();
  const both = sampleSnippets(fresh, [], ["pear"]).map((snippet) => ({
    ...snippet,
    vectors: new Map([
      [old.id, sampleVector(1)],
      [building.id, sampleVector(1, 4)],
    ]),
  }));
  await store.documents.publish(fresh, "pear", both);
  await store.documents.relabel(tenant, one.id, { name: { name: "Renamed", titleTerms: "renamed" } });
  const state = await store.indexes.missing(10);
  expect(state.documents.map(({ id }) => id)).toEqual([two.id, three.id]);
  expect([state.done, state.total]).toEqual([2, 4]);
  const replaced = { ...two, revision: Bun.randomUUIDv7() };
  await store.documents.publish(replaced, "apple", sampleSnippets(replaced, [old.id], ["apple"]));
  await store.indexes.fill(two, sampleSnippets(two, [building.id], ["apple"], short)); // no longer current
  expect(await store.indexes.promote()).toBe(false); // documents are missing in it
  expect(store.indexes.active()).toEqual(old);
  for (const document of (await store.indexes.missing(10)).documents) {
    const current = { ...document, revision: document.revision ?? "" };
    await store.indexes.fill(document, sampleSnippets(current, [building.id], ["apple"], short));
  }
  expect((await store.indexes.missing(10)).documents).toEqual([]);

  const before = store.openSnippets();
  expect(await store.indexes.promote()).toBe(true);
  expect(store.indexes.active()).toMatchObject({ ...next, id: building.id, state: "active" });
  expect(store.indexes.building()).toBeNull();
  const after = store.openSnippets();
  expect(await before.searchVectors(tenant, scope, sampleVector(0), 10)).toHaveLength(4);
  const found = await after.searchVectors(tenant, scope, sampleVector(0, 4), 10);
  expect(found.map((hit) => hit.documentId).sort()).toEqual([one.id, two.id, three.id, fresh.id].sort());
  expect(await tablesOf(dataDir)).toBe(2);
  before.close();
  after.close();
  const stale = sampleDocument();
  const publishStale = store.documents.publish(stale, "x", sampleSnippets(stale, [old.id], ["x"]));
  await expect(publishStale).rejects.toBeInstanceOf(IndexesChangedError);
  await store.close();
  expect(await tablesOf(dataDir)).toBe(1);
  const again = await openStore({ dataDir, index: { ...next, model: "ignored" }, log: silentLog, syncWrites: false });
  expect(again.indexes.active()).toMatchObject({ ...next, id: building.id });
  await again.close();
});

test("another description drops the index being built, and so does abandoning it", async () => {
  const { store, dataDir, dispose } = await openTemporaryStore();
  const first = await store.indexes.begin(next);
  const second = await store.indexes.begin({ ...next, model: "other" });
  expect(second.id).not.toBe(first.id);
  await store.indexes.abandon();
  expect(store.indexes.building()).toBeNull();
  await expect(store.indexes.promote()).rejects.toThrow("no index");
  await store.close();
  expect(await tablesOf(dataDir)).toBe(1);
  await dispose();
});
