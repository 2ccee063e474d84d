import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { IndexesChangedError } from "../../../src/store/contract.ts";
import { openStore } from "../../../src/store/open.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, silentLog, type TemporaryStore } from "../open-temporary-store.ts";

describe("documents", () => {
  let temporary: TemporaryStore;
  const tenant = tenantOf();
  beforeAll(async () => {
    temporary = await openTemporaryStore();
  });
  afterAll(() => temporary.dispose());

  test("a published document is found by text and by vector, with its text", async () => {
    const { store } = temporary;
    const document = sampleDocument({ metadata: { source: "handbook", pages: 3 } });
    const snippets = sampleSnippets(document, [store.indexes.active().id], ["red apple", "green pear C++"]);
    await store.documents.publish(document, "red apple green pear C++", snippets);
    expect(await store.documents.get(tenant, document.id)).toEqual(document);
    expect(await store.documents.getText(document)).toBe("red apple green pear C++");
    const view = store.openSnippets();
    const scope = { documentId: null, partitionId: null, metadata: null };
    const found = await view.searchText(tenant, scope, [{ term: "C++", weight: 1 }], {
      limit: 10,
      titleWeight: 1,
      headingWeight: 1,
    });
    expect(found.map((hit) => hit.position)).toEqual([1]);
    expect(found[0]?.textScore).toBeGreaterThan(0);
    const [second] = snippets.slice(1);
    const vector = second?.vectors.get(store.indexes.active().id) ?? new Float32Array(8);
    const near = await view.searchVectors(tenant, scope, vector, 1);
    expect(near.map((hit) => hit.id)).toEqual([second?.id ?? ""]);
    expect(near[0]?.vector).toEqual(vector);
    expect(await view.count(tenant, scope)).toEqual({ snippets: 2, documents: 1 });
    expect((await view.documentFrequencies(tenant, ["C++", "red", "none"])).counts).toEqual(
      new Map([
        ["C++", 1],
        ["red", 1],
        ["none", 0],
      ]),
    );
    view.close();
  });
});

describe("document records", () => {
  let temporary: TemporaryStore;
  const tenant = tenantOf();
  const page = { limit: 10, skip: 0, sortOrder: "desc" } as const;
  beforeAll(async () => {
    temporary = await openTemporaryStore();
  });
  afterAll(() => temporary.dispose());

  test("every field comes back as it was stored, from memory and from the table alike", async () => {
    const { documents } = temporary.store;
    const document = {
      ...sampleDocument(),
      name: "it's \\ \0 \n 😀 東京",
      originalUrl: "https://example.org/?a='",
      mimeType: null,
      declaredMimeType: "text/html",
      metadata: JSON.parse('{"__proto__": {"a": [1, null]}, "n": 1.5, "s": "1", "externalId": "x\'y"}'),
      externalId: "x'y",
      tokens: null,
      status: "failed" as const,
      error: "no text found",
      warnings: ["page 3 has no text", ""],
      revision: null,
      textHash: "t".repeat(64),
      attempts: 3,
      nextAttemptAt: Date.now() + 0.5,
      progress: { pages: 1, chunks: 2, embedded: 3 },
    };
    await documents.add(document, null);
    expect(await documents.get(tenant, document.id)).toEqual(document);
    expect(await documents.getMany(tenant, [document.id, "none"])).toEqual([document]);
    expect(await documents.getByExternalId(tenant, "x'y")).toEqual(document);
    expect(await documents.getByExternalId(tenantOf("other"), "x'y")).toBeNull();
    const found = await documents.get(tenant, document.id);
    if (found !== null) found.warnings.push("changed by a caller");
    expect((await documents.get(tenant, document.id))?.warnings).toEqual(document.warnings);
  });

  test("a document read while it is changed is not remembered as it was", async () => {
    const first = await openTemporaryStore();
    const added = Array.from({ length: 40 }, () => sampleDocument({ status: "pending" }));
    await Promise.all(added.map((document) => first.store.documents.add(document, null)));
    await first.store.close();
    const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
    const store = await openStore({ dataDir: first.dataDir, index, log: silentLog, syncWrites: false });
    const { documents } = store;
    const ids = added.map(({ id }) => id);
    await Promise.all(
      ids.map(async (id, index) => {
        const reads = Array.from({ length: 3 }, () => documents.getMany(tenant, ids.slice(index)));
        await documents.patch(tenant, id, { status: "failed", error: `change ${index}` });
        await Promise.all(reads);
      }),
    );
    const errors = (await documents.getMany(tenant, ids)).map(({ error }) => error);
    expect(errors).toEqual(ids.map((_, index) => `change ${index}`));
    await store.close();
    await rm(first.dataDir, { recursive: true });
  });

  test("lists: newest first, filtered, paged, with the total; nothing of others", async () => {
    const { documents } = temporary.store;
    const lists = (partitionId: string | null = null) => tenantOf("lists", partitionId);
    const make = (name: string, createdAt: number, change = {}) =>
      sampleDocument({ organizationId: "lists", name, createdAt, ...change });
    const all = [
      make("One", 1, { partitionId: "p1", metadata: { year: 2023 } }),
      make("two", 2, { status: "pending", metadata: { year: "2024" } }),
      make("THREE one", 3, { partitionId: "p1", metadata: { year: 2025 } }),
      make("four", 3, { partitionId: "p2" }),
    ];
    await Promise.all(all.map((document) => documents.add(document, null)));
    const names = async (filter: Parameters<typeof documents.list>[1], paging = {}, tenant = lists()) => {
      const { items, total } = await documents.list(tenant, filter, { ...page, ...paging });
      return [total, ...items.map(({ name }) => name)];
    };
    expect(await names({})).toEqual([4, "four", "THREE one", "two", "One"]);
    expect(await names({}, { sortOrder: "asc" })).toEqual([4, "One", "two", "THREE one", "four"]);
    expect(await names({}, { limit: 2, skip: 1 })).toEqual([4, "THREE one", "two"]);
    expect(await names({}, { skip: 10 })).toEqual([4]);
    expect(await names({ searchValue: "oNe" })).toEqual([2, "THREE one", "One"]);
    expect(await names({ partitionId: "p1" })).toEqual([2, "THREE one", "One"]);
    expect(await names({ status: "pending" })).toEqual([1, "two"]);
    expect(await names({ metadata: { year: { $gt: 2023 } } })).toEqual([1, "THREE one"]);
    expect(await names({ metadata: { year: { $ne: 2025 } }, partitionId: "p1" })).toEqual([1, "One"]);
    expect(await names({}, {}, lists("p2"))).toEqual([1, "four"]);
    expect(await names({ partitionId: "p1" }, {}, lists("p2"))).toEqual([0]);
    const [one] = all;
    expect(await documents.get(lists("p2"), one?.id ?? "")).toBeNull();
    expect(await documents.patch(lists("p2"), one?.id ?? "", { attempts: 9 })).toBeNull();
    expect(await documents.remove(lists("p2"), one?.id ?? "")).toBe(false);
    expect(await documents.remove(lists("p1"), one?.id ?? "")).toBe(true);
  });

  test("several new documents are published at once, or none of them", async () => {
    const { store } = temporary;
    const own = tenantOf("at once");
    const ids = [store.indexes.active().id];
    const many = Array.from({ length: 5 }, (_, at) => {
      const document = sampleDocument({ organizationId: own.organizationId, name: `n${at}` });
      return { document, text: `text ${at}`, snippets: sampleSnippets(document, ids, [`plum ${at}`, "pear"]) };
    });
    const [first, ...others] = many;
    if (first === undefined) throw new Error("no document");
    const scope = { documentId: null, partitionId: null, metadata: null };
    const counted = async () => {
      const view = store.openSnippets();
      const { counts } = await view.documentFrequencies(own, ["plum"]);
      return { ...(await view.count(own, scope).finally(() => view.close())), plum: counts.get("plum") };
    };
    expect(await counted()).toEqual({ snippets: 0, documents: 0, plum: 0 });
    const short = { ...first, snippets: sampleSnippets(first.document, ids, ["plum"], () => new Float32Array(3)) };
    await expect(store.documents.publishNew([...others, short])).rejects.toThrow("a vector has 3 numbers");
    const stale = { ...first, snippets: sampleSnippets(first.document, ["an older index"], ["plum"]) };
    await expect(store.documents.publishNew([...others, stale])).rejects.toThrow(IndexesChangedError);
    const foreign = { ...first, snippets: others.flatMap(({ snippets }) => snippets) };
    await expect(store.documents.publishNew([foreign])).rejects.toThrow("another revision");
    expect(await counted()).toEqual({ snippets: 0, documents: 0, plum: 0 });

    await store.documents.publishNew(many);
    expect(await counted()).toEqual({ snippets: 10, documents: 5, plum: 5 });
    for (const { document, text } of many) {
      expect(await store.documents.get(own, document.id)).toEqual(document);
      expect(await store.documents.getText(document)).toBe(text);
    }
  });

  test("a document with snippets is renamed by relabel only", async () => {
    const { store } = temporary;
    const document = sampleDocument({ textHash: "h1" });
    await store.documents.publish(document, "t", sampleSnippets(document, [store.indexes.active().id], ["t"]));
    await expect(store.documents.patch(tenant, document.id, { name: "other" })).rejects.toThrow("relabel");
    const patched = await store.documents.patch(tenant, document.id, { ...document, attempts: 2, revision: "mine" });
    expect(patched).toEqual({ ...document, attempts: 2 });
    expect(await store.documents.getByTextHash(tenant, "h1")).toEqual({ ...document, attempts: 2 });
    expect(await store.documents.getByTextHash(tenant, "h1", document.partitionId)).toEqual({
      ...document,
      attempts: 2,
    });
    expect(await store.documents.getByTextHash(tenant, "h1", "another")).toBeNull();
    const again = store.documents.publish(document, "t", []);
    await expect(again).rejects.toThrow("new revision");
  });

  test("of many documents with one external id, one text and one file, the newest that fits is found", async () => {
    const { documents } = temporary.store;
    const same = { externalId: "many", textHash: "h-many", blobHash: "b-many", sourceKind: "file" } as const;
    const add = async (at: number) => {
      const partitionId = at % 2 === 0 ? "even" : null;
      const added = { ...sampleDocument({ ...same, partitionId, createdAt: at, status: "pending" }), revision: null };
      await documents.add(added, null);
      return added.id;
    };
    expect(await documents.getByExternalId(tenant, "many")).toBeNull();
    const ids = [await add(0), await add(1)];
    const found = async () => [
      (await documents.getByExternalId(tenant, "many"))?.id,
      (await documents.getByFile(tenant, "b-many", "even"))?.id,
      (await documents.getByFile(tenant, "b-many", null))?.id,
      (await documents.getByTextHash(tenant, "h-many"))?.id, // of those that are processed
    ];
    expect(await found()).toEqual([ids[1], ids[0], ids[1], undefined]);
    // Above the number that is kept in memory, the table is asked.
    for (let at = 2; at < 40; at++) ids.push(await add(at));
    expect(await found()).toEqual([ids[39], ids[38], ids[39], undefined]);
    const moved = ids[39] as string;
    await documents.patch(tenant, moved, { externalId: "one", textHash: "h-one" });
    expect([(await found())[0], (await documents.getByExternalId(tenant, "one"))?.id]).toEqual([ids[38], moved]);
    await documents.remove(tenant, moved);
    expect(await documents.getByExternalId(tenant, "one")).toBeNull();
    const other = { ...tenant, organizationId: "another" };
    expect(await documents.getByExternalId(other, "many")).toBeNull();
    expect(await documents.takenExternalIds(tenant, ["many", "one", "none"])).toEqual(new Set(["many"]));
  });

  test("work on one external id runs one after another", async () => {
    const { documents } = temporary.store;
    const upsert = (name: string) =>
      documents.withExternalId(tenant, "same", async () => {
        const existing = await documents.getByExternalId(tenant, "same");
        if (existing !== null) return documents.patch(tenant, existing.id, { name });
        const added = { ...sampleDocument({ name, externalId: "same", status: "pending" }), revision: null };
        await documents.add(added, null);
        return added;
      });
    const results = await Promise.all(["a", "b", "c", "d"].map(upsert));
    expect(new Set(results.map((document) => document?.id)).size).toBe(1);
  });
});
