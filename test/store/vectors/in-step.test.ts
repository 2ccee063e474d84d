import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { DocumentRecord } from "../../../src/domain/records.ts";
import type { Store } from "../../../src/store/contract.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, type TemporaryStore } from "../open-temporary-store.ts";
import { fill, model, publish, reopen, storedRows, vectorOf, vectorsOf } from "./made-vectors.ts";

const tenant = tenantOf();
const scope = { documentId: null, partitionId: null, metadata: null };

/** Texts of a document by the vectors that questions find it with. */
const textsOf = async (store: Store, document: DocumentRecord): Promise<string[]> => {
  const view = store.openSnippets();
  const within = { ...scope, documentId: document.id };
  const hits = await view.searchModelVectors(tenantOf(document.organizationId), within, vectorOf("apple"), 100);
  view.close();
  for (const hit of hits) expect(hit.modelVector).toEqual(vectorOf(hit.text));
  return hits.map(({ text }) => text).sort();
};

const replace = async (store: Store, document: DocumentRecord, texts: readonly string[]) => {
  const next = { ...document, revision: Bun.randomUUIDv7() };
  await store.documents.publish(next, texts.join(" "), sampleSnippets(next, [store.indexes.active().id], texts));
  return next;
};

describe("vectors follow their documents", () => {
  let temporary: TemporaryStore;
  beforeAll(async () => {
    temporary = await openTemporaryStore();
  });
  afterAll(() => temporary.dispose());

  test("a replaced document keeps the vectors of texts that stay, at their new positions", async () => {
    const { store } = temporary;
    await publish(store, ["bystander"]);
    const active = await store.vectors.begin(model);
    await fill(store);
    await store.vectors.promote();
    const { document } = await publish(store, ["apple", "pear", "fig"]);
    await fill(store);
    const building = await store.vectors.begin({ ...model, model: "mxbai" });
    const next = await replace(store, document, ["new", "fig", "apple", "apple"]);
    expect(await textsOf(store, next)).toEqual(["apple", "apple", "fig"]); // of the active set
    expect(await store.vectors.haveVectors([next])).toEqual([false]);
    await fill(store); // the one being built
    await store.vectors.promote();
    expect(store.vectors.active()?.id).toBe(building.id);
    expect(await textsOf(store, next)).toEqual(["apple", "apple", "fig", "new"]);

    // Only order and whitespace of a document change: nothing has to be made.
    const again = await replace(store, next, ["fig", "new", "apple"]);
    expect(await store.vectors.haveVectors([again])).toEqual([true]);
    expect(await textsOf(store, again)).toEqual(["apple", "fig", "new"]);
    expect(active.id).not.toBe(building.id);
  });

  test("many documents replaced at once keep the vectors of their own texts", async () => {
    const { store } = temporary;
    const many = await Promise.all(
      Array.from({ length: 150 }, (_, number) => publish(store, [`old ${number}`, `kept ${number}`])),
    );
    await fill(store);
    const next = await Promise.all(
      many.map(({ document }, number) => replace(store, document, ["other", `kept ${number}`])),
    );
    expect(await store.vectors.pending()).toMatchObject({ documents: 150, snippets: 300 });
    for (const [number, document] of next.entries())
      if (number % 15 === 0) expect(await textsOf(store, document)).toEqual([`kept ${number}`]);
    await fill(store);
    await Promise.all(next.map(({ id }) => store.documents.remove(tenant, id)));
  });

  test("what was carried over is not added again", async () => {
    const { store } = temporary;
    const { document } = await publish(store, ["apple", "pear"]);
    await fill(store);
    const next = await replace(store, document, ["pear", "plum"]);
    expect(await store.vectors.lacking(1)).toMatchObject([{ id: document.id, revision: next.revision }]);
    await fill(store);
    expect(await textsOf(store, next)).toEqual(["pear", "plum"]);
    await store.close();
    const rows = await storedRows(temporary.dataDir);
    expect(rows.filter((row) => row.startsWith(next.revision))).toEqual([`${next.revision} 0`, `${next.revision} 1`]);
    expect(rows.filter((row) => row.startsWith(document.revision))).toEqual([]);
    temporary.store = await reopen(temporary.dataDir);
    expect(await temporary.store.vectors.pending()).toMatchObject({ documents: 0, snippets: 0 });
  });

  test("a relabeled document takes its vectors along; without vectors it still lacks them", async () => {
    const { store } = temporary;
    const whole = await publish(store, ["apple", "pear"], { metadata: { colour: "red" } });
    await fill(store);
    const bare = await publish(store, ["quince"]);
    const change = { metadata: { colour: "blue" }, partitionId: "partition-1" };
    const changed = await store.documents.relabel(tenant, whole.document.id, change);
    const changedBare = await store.documents.relabel(tenant, bare.document.id, change);
    if (changed === null || changedBare === null) throw new Error("the documents are there");
    expect(await store.vectors.haveVectors([changed, changedBare])).toEqual([true, false]);
    const view = store.openSnippets();
    const found = async (metadata: { colour: string }, partitionId: string | null) =>
      (await view.searchModelVectors(tenant, { ...scope, partitionId, metadata }, vectorOf("apple"), 10)).map(
        ({ text }) => text,
      );
    expect(await found({ colour: "blue" }, "partition-1")).toEqual(["apple", "pear"]);
    expect(await found({ colour: "red" }, null)).toEqual([]);
    view.close();
    await fill(store);
    expect(await textsOf(store, changedBare)).toEqual(["quince"]);
  });

  test("documents published many at once lack vectors; a removed one lacks nothing, and leaves no row", async () => {
    const { store } = temporary;
    const indexId = store.indexes.active().id;
    const before = await store.vectors.pending();
    const publications = [1, 2, 3].map((number) => {
      const document = sampleDocument({ createdAt: Date.now() + number });
      return { document, text: "kiwi", snippets: sampleSnippets(document, [indexId], ["kiwi", "lime"]) };
    });
    await store.documents.publishNew(publications);
    const [one, two, three] = publications.map(({ document }) => document);
    if (one === undefined || two === undefined || three === undefined) throw new Error("three documents");
    expect(await store.vectors.pending()).toEqual({
      documents: before.documents + 3,
      snippets: before.snippets + 6,
      totalDocuments: before.totalDocuments + 3,
      totalSnippets: before.totalSnippets + 6,
    });
    await store.documents.remove(tenant, three.id);
    expect((await store.vectors.lacking(2)).map(({ id }) => id)).toEqual([two.id, one.id]);
    await fill(store);
    await store.documents.remove(tenant, two.id);
    expect(await store.vectors.pending()).toEqual({
      documents: 0,
      snippets: 0,
      totalDocuments: before.totalDocuments + 1,
      totalSnippets: before.totalSnippets + 2,
    });
    expect(await textsOf(store, one)).toEqual(["kiwi", "lime"]);
    expect(await textsOf(store, two)).toEqual([]);
    await store.close();
    const revisions = (await storedRows(temporary.dataDir)).map((row) => row.split(" ")[0]);
    expect(revisions).toContain(one.revision);
    expect(revisions).not.toContain(two.revision);
    expect(revisions).not.toContain(three.revision);
    temporary.store = await reopen(temporary.dataDir);
  });
});

test("documents replaced, relabeled and removed while their vectors are added: no row stays behind, none is doubled", async () => {
  const { store, dataDir, dispose } = await openTemporaryStore();
  await publish(store, ["bystander"]);
  const set = await store.vectors.begin(model);
  const published = await Promise.all(
    Array.from({ length: 40 }, (_, number) => publish(store, ["apple", `text ${number}`, "pear"])),
  );
  const add = (one: (typeof published)[number]) =>
    store.vectors.add(set.id, [{ document: one.document, vectors: vectorsOf(one.snippets) }]);
  const change = async (number: number, document: DocumentRecord): Promise<void> => {
    await Bun.sleep(number % 5); // before, while and after the rows are written
    if (number % 4 === 0) await store.documents.remove(tenant, document.id);
    else if (number % 4 === 1) await replace(store, document, ["pear", "melon"]);
    else if (number % 4 === 2) await store.documents.relabel(tenant, document.id, { metadata: { number } });
  };
  await Promise.all(
    published.flatMap((one, number) => [add(one), change(number, one.document), ...(number % 3 ? [] : [add(one)])]),
  );
  await fill(store);
  expect(await store.vectors.pending()).toEqual({ documents: 0, snippets: 0, totalDocuments: 31, totalSnippets: 81 });
  expect(await store.vectors.promote()).toBe(true);
  const { items } = await store.documents.list(tenant, {}, { limit: 100, skip: 0, sortOrder: "asc" });
  const snippets = await store.indexes.snippetsOf(items);
  const expected = [...snippets.values()].flat().map(({ revision, position }) => `${revision} ${position}`);
  await store.close();
  expect(await storedRows(dataDir)).toEqual(expected.sort());
  await dispose();
});

test("changes while the missing vectors are being counted are counted once", async () => {
  const { store, dataDir, dispose } = await openTemporaryStore();
  await store.vectors.begin(model);
  const published = [];
  for (let number = 0; number < 30; number += 1) published.push(await publish(store, [`text ${number}`, "pear"]));
  await store.close();

  const again = await reopen(dataDir); // the count begins
  const set = again.vectors.active();
  if (set === null) throw new Error("the set is active");
  const work = published.map(async ({ document, snippets }, number) => {
    if (number % 3 === 0) await again.documents.remove(tenant, document.id);
    else if (number % 3 === 1) await replace(again, document, ["pear"]);
    else await again.vectors.add(set.id, [{ document, vectors: vectorsOf(snippets) }]);
  });
  await Promise.all([...work, publish(again, ["late"]), publish(again, [])]);
  const pending = await again.vectors.pending();
  expect(pending).toEqual({ documents: 11, snippets: 11, totalDocuments: 22, totalSnippets: 31 });
  await again.close();
  const last = await reopen(dataDir);
  expect(await last.vectors.pending()).toEqual(pending);
  await last.close();
  await dispose();
});
