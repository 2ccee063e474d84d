import { expect, test } from "bun:test";
import { sampleDocument, sampleSnippets, sampleVector } from "../../../tools/samples/records.ts";
import { openTemporaryStore } from "../open-temporary-store.ts";

const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1, modelRevision: "abc" };

test("another revision of a model is another index", async () => {
  const { store, dispose } = await openTemporaryStore();
  const first = await store.indexes.begin(index);
  expect(await store.indexes.begin(index)).toEqual(first);
  expect((await store.indexes.begin({ ...index, modelRevision: "def" })).id).not.toBe(first.id);
  await dispose();
});

test("an index of unknown vector length is empty, and is replaced by one of known length", async () => {
  const { store, dispose } = await openTemporaryStore({ dimensions: 0 });
  expect(store.indexes.active().dimensions).toBe(0);
  expect(await store.indexes.lacksVectors()).toBe(false);
  await store.indexes.begin(index);
  expect(await store.indexes.promote()).toBe(true);
  expect(store.indexes.active()).toMatchObject(index);
  await dispose();
});

test("what an index holds of a document, by position, and whether vectors are missing", async () => {
  const { store, dispose } = await openTemporaryStore();
  const { id } = store.indexes.active();
  const document = sampleDocument();
  const snippets = sampleSnippets(document, [id], ["apple", "pear"]).reverse();
  await store.documents.publish(document, "apple pear", snippets);
  const held = (await store.indexes.snippetsOf([document])).get(document.id) ?? [];
  expect(held.map(({ position, text }) => [position, text])).toEqual([
    [0, "apple"],
    [1, "pear"],
  ]);
  expect(held[0]?.vector?.length).toBe(sampleVector(0).length);
  expect(await store.indexes.lacksVectors()).toBe(false);
  const without = sampleDocument();
  const bare = sampleSnippets(without, [id], ["plum"]).map((one) => ({ ...one, vectors: new Map([[id, null]]) }));
  await store.documents.publish(without, "plum", bare);
  expect(await store.indexes.lacksVectors()).toBe(true);
  await dispose();
});
