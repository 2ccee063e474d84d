import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SnippetHit, SnippetView } from "../../../src/store/contract.ts";
import { sampleDocument, sampleSnippets, sampleVector, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, type TemporaryStore } from "../open-temporary-store.ts";
import { fill, model, publish, vectorOf, vectorsOf } from "../vectors/made-vectors.ts";

const tenant = tenantOf();
const scope = { documentId: null, partitionId: null, metadata: null };
const textsOf = (hits: readonly SnippetHit[]) => hits.map(({ text }) => text);
const byText = (view: SnippetView, term: string) =>
  view.searchText(tenant, scope, [{ term, weight: 1 }], { limit: 50, titleWeight: 0, headingWeight: 0 });

describe("questions over a vector set", () => {
  let temporary: TemporaryStore;
  beforeAll(async () => {
    temporary = await openTemporaryStore();
    const { store } = temporary;
    await publish(store, ["apple", "pear"], { partitionId: "partition-1", metadata: { colour: "red" } });
    await publish(store, ["plum", "fig"], { partitionId: "partition-2", metadata: { colour: "blue" } });
    await publish(store, ["foreign"], { organizationId: "organization-2" });
    await store.vectors.begin(model);
    await fill(store);
    await publish(store, ["quince"], { name: "without vectors" });
  });
  afterAll(() => temporary.dispose());

  test("the set that is being built answers as long as there is no active one; the nearest come first", async () => {
    const view = temporary.store.openSnippets();
    expect(view.vectorSet).toMatchObject({ ...model, state: "building" });
    const hits = await view.searchModelVectors(tenant, scope, vectorOf("fig"), 10);
    expect(textsOf(hits)[0]).toBe("fig");
    expect(textsOf(hits).sort()).toEqual(["apple", "fig", "pear", "plum"]);
    for (const hit of hits) expect(hit.modelVector).toEqual(vectorOf(hit.text));
    const [same] = await view.searchVectors(
      tenant,
      { ...scope, documentId: hits[0]?.documentId ?? "" },
      sampleVector(1),
      1,
    );
    expect(hits[0]).toEqual({ ...(same as SnippetHit), modelVector: vectorOf("fig") });
    expect(await view.searchModelVectors(tenant, scope, vectorOf("fig"), 1)).toHaveLength(1);
    expect(await view.searchModelVectors(tenant, scope, new Float32Array(6), 5)).toEqual([]);
    await expect(view.searchModelVectors(tenant, scope, new Float32Array(8), 5)).rejects.toThrow("vector set has 6");
    view.close();
    await expect(view.searchModelVectors(tenant, scope, vectorOf("fig"), 5)).rejects.toThrow("closed");
  });

  test("scopes and the partition of a key hold for it as for the other searches", async () => {
    const view = temporary.store.openSnippets();
    const found = async (who: ReturnType<typeof tenantOf>, change: Partial<typeof scope> & object) =>
      textsOf(await view.searchModelVectors(who, { ...scope, ...change }, vectorOf("apple"), 10)).sort();
    expect(await found(tenant, { metadata: { colour: "red" } } as object)).toEqual(["apple", "pear"]);
    expect(await found(tenant, { metadata: { colour: { $ne: "red" } } } as object)).toEqual(["fig", "plum"]);
    expect(await found(tenant, { partitionId: "partition-2" } as object)).toEqual(["fig", "plum"]);
    expect(await found(tenantOf("organization-1", "partition-1"), {})).toEqual(["apple", "pear"]);
    expect(await found(tenantOf("organization-1", "partition-1"), { partitionId: "partition-2" } as object)).toEqual(
      [],
    );
    expect(await found(tenantOf("organization-2"), {})).toEqual(["foreign"]);
    view.close();
  });

  test("hits get the vectors that the set has, and keep the others", async () => {
    const view = temporary.store.openSnippets();
    const hits = [...(await byText(view, "apple")), ...(await byText(view, "quince")), ...(await byText(view, "fig"))];
    expect(hits.map(({ modelVector }) => modelVector)).toEqual([null, null, null]);
    const [first, ...others] = await view.addModelVectors(hits);
    const known = { ...(first as SnippetHit), modelVector: vectorOf("kept") };
    expect(others.map(({ modelVector }) => modelVector)).toEqual([null, vectorOf("fig")]);
    expect((await view.addModelVectors([known]))[0]).toBe(known);
    expect(first).toEqual({ ...(hits[0] as SnippetHit), modelVector: vectorOf("apple") });
    expect(await view.addModelVectors([])).toEqual([]);
    view.close();
  });

  test("a view goes on with its set while another takes its place, and while all are dropped", async () => {
    const { store } = temporary;
    await fill(store);
    await store.vectors.promote();
    const first = store.openSnippets();
    await store.vectors.begin({ ...model, model: "mxbai", dimensions: 3 });
    const during = store.openSnippets();
    expect(during.vectorSet).toMatchObject({ model: "nomic", state: "active" });
    for (const document of await store.vectors.lacking(10)) {
      const snippets = (await store.indexes.snippetsOf([document])).get(document.id) ?? [];
      const vectors = vectorsOf(snippets).map((one) => ({ ...one, vector: one.vector.slice(0, 3) }));
      await store.vectors.add(store.vectors.building()?.id ?? "", [{ document, vectors }]);
    }
    await store.vectors.promote();
    const second = store.openSnippets();
    await store.vectors.clear();
    const last = store.openSnippets();
    for (const view of [first, during])
      expect(await view.searchModelVectors(tenant, scope, vectorOf("fig"), 10)).toHaveLength(5);
    expect(second.vectorSet).toMatchObject({ model: "mxbai", dimensions: 3 });
    expect(await second.searchModelVectors(tenant, scope, vectorOf("fig").slice(0, 3), 10)).toHaveLength(5);
    expect(last.vectorSet).toBeNull();
    expect(await last.searchModelVectors(tenant, scope, vectorOf("fig"), 10)).toEqual([]);
    const hits = await byText(last, "fig");
    expect(await last.addModelVectors(hits)).toEqual(hits);
    for (const view of [first, during, second, last]) view.close();
  });
});

test("a text that the model refused is never found, and rows of another text at that position are left out", async () => {
  const { store, dispose } = await openTemporaryStore();
  const { document, snippets } = await publish(store, ["apple", "refused", "moved"]);
  const set = await store.vectors.begin(model);
  const vectors = vectorsOf(snippets).map((one, index) => {
    if (index === 1) return { ...one, vector: new Float32Array(6) };
    return index === 2 ? { ...one, inputHash: "of another text" } : one;
  });
  await store.vectors.add(set.id, [{ document, vectors }]);
  expect(await store.vectors.pending()).toMatchObject({ documents: 0 });
  const view = store.openSnippets();
  expect(textsOf(await view.searchModelVectors(tenant, scope, vectorOf("refused"), 10))).toEqual(["apple"]);
  const within = { ...scope, documentId: document.id };
  expect(textsOf(await view.searchModelVectors(tenant, within, vectorOf("refused"), 10))).toEqual(["apple"]);
  const hits = await view.addModelVectors(await view.searchVectors(tenant, scope, sampleVector(0), 10));
  expect(hits.find(({ text }) => text === "refused")?.modelVector).toBeNull();
  view.close();
  await dispose();
});

test("a view sees one revision of a document, by the model's vectors too", async () => {
  const { store, dispose } = await openTemporaryStore();
  const { document } = await publish(store, ["old apple"]);
  await store.vectors.begin(model);
  await fill(store);
  await store.vectors.promote();
  const before = store.openSnippets();
  const next = { ...document, revision: Bun.randomUUIDv7() };
  const snippets = sampleSnippets(next, [store.indexes.active().id], ["new apple"]);
  await store.documents.publish(next, "new apple", snippets);
  await fill(store);
  const after = store.openSnippets();
  const search = (view: SnippetView) => view.searchModelVectors(tenant, scope, vectorOf("new apple"), 10);
  expect(textsOf(await search(before))).toEqual(["old apple"]);
  expect(textsOf(await search(after))).toEqual(["new apple"]);
  before.close();
  after.close();
  await dispose();
});

test("a sample is of random snippets of the tenant, with both vectors", async () => {
  const { store, dispose } = await openTemporaryStore();
  for (let part = 0; part < 4; part += 1) {
    const texts = Array.from({ length: 300 }, (_, number) => `text ${part * 300 + number}`);
    await publish(store, texts, { partitionId: part === 0 ? "partition-1" : null });
  }
  const foreign = sampleDocument({ organizationId: "organization-2" });
  const snippets = sampleSnippets(foreign, [store.indexes.active().id], ["foreign"]);
  await store.documents.publish(foreign, "foreign", snippets);
  await store.vectors.begin(model);
  await fill(store);
  const view = store.openSnippets();
  const numbersOf = (hits: readonly SnippetHit[]) => hits.map(({ text }) => Number(text.split(" ")[1]));
  const [one, two] = [await view.sample(tenant, 100), await view.sample(tenant, 100)];
  for (const sample of [one, two]) {
    expect(new Set(sample.map(({ id }) => id)).size).toBe(100);
    for (const hit of sample) {
      expect(hit.vector).toHaveLength(8);
      expect(hit.modelVector).toEqual(vectorOf(hit.text));
    }
    // The chance that a random hundred of 1,200 avoid a third of them is below one in 10^17.
    for (const from of [0, 400, 800])
      expect(numbersOf(sample).some((number) => number >= from && number < from + 400)).toBe(true);
  }
  // The same each time: a question is judged alike.
  expect(numbersOf(one)).toEqual(numbersOf(two));
  expect((await view.sample(tenant, 5_000)).length).toBe(1_200);
  expect(numbersOf(await view.sample(tenantOf("organization-1", "partition-1"), 50)).every((one) => one < 300)).toBe(
    true,
  );
  expect(textsOf(await view.sample(tenantOf("organization-2"), 5))).toEqual(["foreign"]);
  expect(await view.sample(tenantOf("organization-3"), 5)).toEqual([]);
  expect(await view.sample(tenant, 0)).toEqual([]);
  view.close();
  await dispose();
});
