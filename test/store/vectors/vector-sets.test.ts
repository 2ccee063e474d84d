import { expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "../../../src/store/engine/lance.ts";
import { openTemporaryStore } from "../open-temporary-store.ts";
import { fill, model, publish, reopen, storedRows, vectorOf, vectorsOf } from "./made-vectors.ts";

const other = { ...model, model: "mxbai" };
const tablesOf = async (dataDir: string) =>
  (await readdir(join(dataDir, "tables"))).filter((name) => name.startsWith("vectors_")).sort();
const nothing = { documents: 0, snippets: 0 };

test("a store without a set lacks nothing; in one without snippets a new set is active at once", async () => {
  const { store, dataDir, dispose } = await openTemporaryStore();
  expect([store.vectors.active(), store.vectors.building()]).toEqual([null, null]);
  expect(await store.vectors.pending()).toEqual({ ...nothing, totalDocuments: 0, totalSnippets: 0 });
  expect(await store.vectors.lacking(5)).toEqual([]);
  expect(await store.vectors.haveVectors([{ revision: "any" }, { revision: null }])).toEqual([true, false]);
  expect(await store.vectors.known("none", "organization-1", ["hash"])).toEqual(new Map());
  await expect(store.vectors.promote()).rejects.toThrow("no vector set");

  const set = await store.vectors.begin(model);
  expect(set).toMatchObject({ ...model, state: "active" });
  expect(store.vectors.active()).toEqual(set);
  expect(store.vectors.building()).toBeNull();
  expect(await store.vectors.begin(model)).toEqual(set);
  const next = await store.vectors.begin(other); // still without snippets
  expect(next).toMatchObject({ ...other, state: "active" });
  await store.close();
  expect(await tablesOf(dataDir)).toEqual([`vectors_${next.id}.lance`]);
  await dispose();
});

test("a set is filled newest first, over restarts, and promoted when nothing is missing", async () => {
  const { store: first, dataDir, dispose } = await openTemporaryStore();
  const published = [];
  for (const createdAt of [30, 10, 40, 20])
    published.push(await publish(first, [`text ${createdAt}`, `more ${createdAt}`], { createdAt }));
  const [thirty, ten, forty, twenty] = published.map(({ document }) => document);
  const empty = await publish(first, []); // without snippets it lacks nothing
  const set = await first.vectors.begin(model);
  expect(set).toMatchObject({ ...model, state: "building" });
  expect(first.vectors.active()).toBeNull();
  expect(await first.vectors.begin(model)).toEqual(set);
  expect(await first.vectors.pending()).toEqual({ documents: 4, snippets: 8, totalDocuments: 5, totalSnippets: 8 });
  expect((await first.vectors.lacking(3)).map(({ id }) => id)).toEqual([forty?.id, thirty?.id, twenty?.id] as string[]);
  const revisions = [...published, empty].map(({ document }) => document);
  expect(await first.vectors.haveVectors(revisions)).toEqual([false, false, false, false, true]);

  const [one] = published;
  if (one === undefined || ten === undefined) throw new Error("no document");
  await first.vectors.add(set.id, [{ document: one.document, vectors: vectorsOf(one.snippets) }]);
  await first.vectors.add(set.id, [{ document: one.document, vectors: vectorsOf(one.snippets) }]); // once is enough
  expect(await first.vectors.promote()).toBe(false);
  const fresh = await publish(first, ["fresh"], { createdAt: 50 });
  expect((await first.vectors.lacking(9)).map(({ id }) => id)[0]).toBe(fresh.document.id);
  await first.close();
  expect(await storedRows(dataDir)).toEqual([0, 1].map((position) => `${one.document.revision} ${position}`));

  const store = await reopen(dataDir);
  expect([store.vectors.active(), store.vectors.building()]).toEqual([null, set]);
  expect(await store.vectors.pending()).toEqual({ documents: 4, snippets: 7, totalDocuments: 6, totalSnippets: 9 });
  expect(await store.vectors.haveVectors(revisions)).toEqual([true, false, false, false, true]);
  await fill(store);
  expect(await store.vectors.pending()).toEqual({ ...nothing, totalDocuments: 6, totalSnippets: 9 });
  expect(await store.vectors.promote()).toBe(true);
  expect(store.vectors.active()).toMatchObject({ ...model, id: set.id, state: "active" });
  expect(store.vectors.building()).toBeNull();
  // The active set is the one that is filled from now on.
  const late = await publish(store, ["late"]);
  expect((await store.vectors.lacking(5)).map(({ id }) => id)).toEqual([late.document.id]);
  await store.close();
  expect(await storedRows(dataDir)).toHaveLength(9);
  await dispose();
});

test("a second set is built beside the active one; a third description drops it; clear drops both", async () => {
  const { store: first, dataDir, dispose } = await openTemporaryStore();
  await publish(first, ["apple"]);
  const old = await first.vectors.begin(model);
  await fill(first);
  await first.vectors.promote();
  const second = await first.vectors.begin(other);
  expect(await first.vectors.pending()).toMatchObject({ documents: 1, snippets: 1 });
  expect(await first.vectors.known(old.id, "organization-1", vectorsOf([apple]).map(hashOf))).toHaveProperty("size", 1);
  const third = await first.vectors.begin({ ...other, modelRevision: "2" });
  expect(third.id).not.toBe(second.id);
  expect(await first.vectors.begin(model)).toMatchObject({ id: old.id, state: "active" }); // back to the old one
  expect(first.vectors.building()).toBeNull();
  expect(await first.vectors.pending()).toMatchObject(nothing);
  await first.vectors.begin(other);
  await first.vectors.abandon();
  expect([first.vectors.active()?.id, first.vectors.building()]).toEqual([old.id, null]);
  await first.vectors.begin(other);
  await first.vectors.clear();
  expect([first.vectors.active(), first.vectors.building()]).toEqual([null, null]);
  await first.close();
  expect(await tablesOf(dataDir)).toEqual([]);
  const store = await reopen(dataDir);
  expect([store.vectors.active(), store.vectors.building()]).toEqual([null, null]);
  await store.close();
  await dispose();
});

const apple = { position: 0, text: "apple", context: "" };
const hashOf = ({ inputHash }: { inputHash: string }) => inputHash;

test("vectors are known by their input, within an organization, also where a thousand snippets share it", async () => {
  const { store, dispose } = await openTemporaryStore();
  const many = Array.from({ length: 1_200 }, () => "the same footer");
  await publish(store, [...many, "apple"]);
  await publish(store, ["pear"], { organizationId: "organization-2" });
  await publish(store, ["refused"]);
  const set = await store.vectors.begin(model);
  const documents = await store.vectors.lacking(10);
  const snippets = await store.indexes.snippetsOf(documents);
  const made = (id: string) =>
    vectorsOf(snippets.get(id) ?? []).map((one, index) =>
      snippets.get(id)?.[index]?.text === "refused" ? { ...one, vector: new Float32Array(6) } : one,
    );
  await store.vectors.add(
    set.id,
    documents.map((document) => ({ document, vectors: made(document.id) })),
  );
  const texts = ["the same footer", "apple", "pear", "refused", "never seen"];
  const hashes = vectorsOf(texts.map((text, position) => ({ position, text, context: "" }))).map(hashOf);
  const known = await store.vectors.known(set.id, "organization-1", hashes);
  const zeros = new Float32Array(6);
  const expected = [vectorOf("the same footer"), vectorOf("apple"), undefined, zeros, undefined];
  expect(hashes.map((hash) => known.get(hash))).toEqual(expected);
  expect((await store.vectors.known(set.id, "organization-2", hashes)).size).toBe(1);
  expect(await store.vectors.pending()).toMatchObject(nothing); // what the model refuses is not tried again
  await dispose();
});

test("vectors that do not fit are refused; those for a set that is gone, or of old revisions, are left out", async () => {
  const { store, dataDir, dispose } = await openTemporaryStore();
  const { document, snippets } = await publish(store, ["apple"]);
  const set = await store.vectors.begin(model);
  const add = (vector: Float32Array, id = set.id) =>
    store.vectors.add(id, [{ document, vectors: vectorsOf(snippets).map((one) => ({ ...one, vector })) }]);
  await expect(add(new Float32Array(5))).rejects.toThrow("5 numbers where the vector set has 6");
  await expect(add(new Float32Array(6).fill(Number.NaN))).rejects.toThrow("finite");
  await add(vectorOf("apple"), "another");
  expect(await store.vectors.haveVectors([document])).toEqual([false]);
  const next = { ...document, revision: Bun.randomUUIDv7() };
  await store.documents.publish(next, "pear", [{ ...(snippets[0] ?? never()), revision: next.revision, text: "pear" }]);
  await add(vectorOf("apple"));
  expect(await store.vectors.haveVectors([document, next])).toEqual([false, false]);
  await store.close();
  expect(await storedRows(dataDir)).toEqual([]);
  await dispose();
});

test("parts of a document stay over a restart, and it is whole with the last one", async () => {
  const { store: first, dataDir, dispose } = await openTemporaryStore();
  const { document, snippets } = await publish(first, ["apple", "pear", "plum"]);
  const set = await first.vectors.begin(model);
  const [apple, pear, plum] = vectorsOf(snippets);
  if (apple === undefined || pear === undefined || plum === undefined) throw new Error("three vectors");
  await first.vectors.add(set.id, [{ document, vectors: [apple], isPart: true }]);
  await first.vectors.add(set.id, [{ document, vectors: [apple, pear], isPart: true }]); // once is enough
  expect(await first.vectors.haveVectors([document])).toEqual([false]);
  expect(first.vectors.isLacking(document.revision)).toBe(true);
  expect(await first.vectors.promote()).toBe(false);
  await first.close();
  expect(await storedRows(dataDir)).toEqual([0, 1].map((position) => `${document.revision} ${position}`));

  const store = await reopen(dataDir);
  expect((await store.vectors.lacking(5)).map(({ id }) => id)).toEqual([document.id]);
  expect(await store.vectors.lacking(5, (revision) => revision === document.revision)).toEqual([]);
  await store.vectors.add(set.id, [{ document, vectors: [plum] }]);
  expect(await store.vectors.haveVectors([document])).toEqual([true]);
  expect(store.vectors.isLacking(document.revision)).toBe(false);
  await store.close();
  expect(await storedRows(dataDir)).toHaveLength(3);
  await dispose();
});

test("refused texts are told, and lacking again on request, also after a restart", async () => {
  const { store: first, dataDir, dispose } = await openTemporaryStore();
  const set = await first.vectors.begin(model);
  const one = await publish(first, ["apple", "pear"]);
  const two = await publish(first, ["plum"]);
  const zero = (made: ReturnType<typeof vectorsOf>[number] | undefined) => ({
    ...(made ?? never()),
    vector: new Float32Array(6),
  });
  const [apple, pear] = vectorsOf(one.snippets);
  await first.vectors.add(set.id, [
    { document: one.document, vectors: [apple ?? never(), zero(pear)] },
    { document: two.document, vectors: vectorsOf(two.snippets).map(zero) },
  ]);
  const refused = await first.vectors.refused();
  const { id: documentId, organizationId, revision } = one.document;
  expect(refused).toContainEqual({ organizationId, documentId, revision, inputHashes: [pear?.inputHash ?? ""] });
  expect(refused).toHaveLength(2);
  await first.vectors.reopen("another", refused);
  await first.vectors.reopen(set.id, [{ documentId, revision: "an older one" }]);
  expect(await first.vectors.pending()).toMatchObject(nothing);
  await first.vectors.reopen(set.id, [{ documentId, revision }]);
  expect(await first.vectors.haveVectors([one.document, two.document])).toEqual([false, true]);
  expect(await first.vectors.refused()).toHaveLength(1);
  await first.close();

  const store = await reopen(dataDir);
  expect((await store.vectors.lacking(5)).map(({ id }) => id)).toEqual([documentId]);
  await store.vectors.add(set.id, [{ document: one.document, vectors: [pear ?? never()] }]);
  expect(await store.vectors.pending()).toMatchObject(nothing);
  await store.close();
  expect(await storedRows(dataDir)).toHaveLength(3);
  await dispose();
});

const never = (): never => {
  throw new Error("there is a snippet");
};

test("a crash between the two writes of a change of sets: the one promoted last stays, strays are dropped", async () => {
  const { store: first, dataDir, dispose } = await openTemporaryStore();
  await publish(first, ["apple"]);
  const old = await first.vectors.begin(model);
  await fill(first);
  await first.vectors.promote();
  const next = await first.vectors.begin(other);
  await fill(first);
  await first.close();

  const { connection } = await connect(join(dataDir, "tables"));
  const rows = await connection.openTable("vector_sets");
  await rows.update({
    where: `id = '${next.id}'`,
    values: { state: "active", createdAt: Date.now() + 1, checksum: null },
  });
  const stray = await connection.openTable(`vectors_${old.id}`);
  await connection.createEmptyTable("vectors_stray", await stray.schema());
  for (const table of [rows, stray]) table.close();
  connection.close();

  const store = await reopen(dataDir);
  expect(store.vectors.active()).toMatchObject({ id: next.id, state: "active" });
  expect(store.vectors.building()).toBeNull();
  expect(await tablesOf(dataDir)).toEqual([`vectors_${next.id}.lance`]);
  expect(await store.vectors.pending()).toMatchObject(nothing);
  await store.close();

  // A crash between the last vectors and the promotion: nothing is made again.
  const later = await reopen(dataDir);
  const third = await later.vectors.begin(model);
  await fill(later);
  await later.close();
  const last = await reopen(dataDir);
  expect(last.vectors.building()?.id).toBe(third.id);
  expect(await last.vectors.promote()).toBe(true);
  expect(last.vectors.active()?.id).toBe(third.id);
  await last.close();
  expect(await tablesOf(dataDir)).toEqual([`vectors_${third.id}.lance`]);
  await dispose();
});

test("a set whose table is lost is filled again; if the list of sets is lost, its tables are set aside", async () => {
  const { store: first, dataDir, dispose } = await openTemporaryStore();
  await publish(first, ["apple", "pear"]);
  const set = await first.vectors.begin(model);
  await fill(first);
  await first.vectors.promote();
  await first.close();
  await rm(join(dataDir, "tables", `vectors_${set.id}.lance`), { recursive: true });
  const second = await reopen(dataDir);
  expect(second.vectors.active()?.id).toBe(set.id);
  expect(await second.vectors.pending()).toMatchObject({ documents: 1, snippets: 2 });
  await fill(second);
  await second.close();
  expect(await storedRows(dataDir)).toHaveLength(2);

  await rm(join(dataDir, "tables", "vector_sets.lance"), { recursive: true });
  const third = await reopen(dataDir);
  expect([third.vectors.active(), third.vectors.building()]).toEqual([null, null]);
  await third.close();
  expect(await tablesOf(dataDir)).toEqual([]);
  const aside = await readdir(join(dataDir, "quarantine"), { recursive: true });
  expect(aside.some((path) => path.endsWith(`unnamed/tables/vectors_${set.id}.lance`))).toBe(true);
  await dispose();
});
