import { expect, test } from "bun:test";
import type { RowReader } from "../../../src/store/engine/cells.ts";
import type { Lance } from "../../../src/store/engine/lance.ts";
import { createRecentSnippets } from "../../../src/store/search/recent-snippets.ts";
import { type StoredSnippet, snippetRows } from "../../../src/store/search/snippet-rows.ts";
import { createSnippetView, type SnippetViewDependencies } from "../../../src/store/search/snippets.ts";
import { sampleDocument, sampleSnippets, sampleVector, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore } from "../open-temporary-store.ts";

const [snippet] = sampleSnippets(sampleDocument(), [], ["a text"]);
const scope = { documentId: null, partitionId: null, metadata: null };

/** A view of a table with one row, whose id changes between the two steps of a search as often as told. */
const viewOfMovingRow = (moves: number) => {
  let searches = 0;
  const query = (run: () => Partial<Record<"id" | "record", unknown>>[]) => {
    const chain = { run, select: () => chain, where: () => chain, limit: () => chain, withRowId: () => chain };
    return { ...chain, fullTextSearch: () => chain };
  };
  const table = {
    count: async () => 10,
    lance: {
      query: () => query(() => [{ id: BigInt(searches++) }]),
      takeRowIds: ([id]: bigint[]) => query(() => (id === BigInt(moves) ? [{ id, record: snippet }] : [])),
    },
    run: async (asked: { run: () => { id: bigint; record?: unknown }[] }, decode: (row: RowReader) => unknown) =>
      asked.run().map(({ id, record }) =>
        decode({
          bigint: () => id,
          number: () => 1.5,
          string: () => String(snippetRows("i", 8).encode(record as StoredSnippet).record),
          vector: () => null,
        } as unknown as RowReader),
      ),
  };
  const segment = {
    table,
    recent: createRecentSnippets(),
    unindexed: { having: () => null, standing: () => null },
    hasVectorIndex: () => false,
  };
  const view = createSnippetView({
    lance: { MatchQuery: class {}, BooleanQuery: class {}, Occur: {} } as unknown as Lance,
    index: { info: { id: "i", dimensions: 8 }, segments: { all: () => [segment], count: table.count } },
    vectorSet: null,
    snapshot: { excluded: () => [], sees: () => true, close: () => {} },
    scopes: { snippets: async () => "true" },
    frequencies: { totals: async () => ({ snippets: 1, documents: 1 }), mayBeInName: () => () => true },
  } as unknown as SnippetViewDependencies);
  const search = () =>
    view.searchText(tenantOf(), scope, [{ term: "a", weight: 1 }], { limit: 5, titleWeight: 0, headingWeight: 0 });
  return { search, searches: () => searches };
};

test("a search is repeated when upkeep moves what it found before it is read", async () => {
  const { search, searches } = viewOfMovingRow(2);
  expect((await search()).map(({ text, textScore }) => [text, textScore])).toEqual([["a text", 1.5]]);
  expect(searches()).toBe(3);
});

test("a search that finds nothing but moved rows ends all the same", async () => {
  const { search, searches } = viewOfMovingRow(100);
  expect(await search()).toEqual([]);
  expect(searches()).toBe(4);
});

test("a search within one document asks only the tables that hold it", async () => {
  const asked: unknown[] = [];
  const view = createSnippetView({
    lance: { MatchQuery: class {} } as unknown as Lance,
    index: {
      info: { id: "i", dimensions: 2 },
      segments: {
        all: () => {
          throw new Error("all tables are asked");
        },
        holding: async (column: string, values: readonly string[]) => {
          asked.push([column, ...values]);
          return [];
        },
      },
    },
    vectorSet: null,
    snapshot: { excluded: () => [], sees: () => true, close: () => {} },
    scopes: { snippets: async () => "true" },
    frequencies: { mayBeInName: () => () => true },
  } as unknown as SnippetViewDependencies);
  const within = { ...scope, documentId: "d" };
  const weights = { limit: 5, titleWeight: 0, headingWeight: 0 };
  expect(await view.searchText(tenantOf(), within, [{ term: "a", weight: 1 }], weights)).toEqual([]);
  expect(await view.searchVectors(tenantOf(), within, new Float32Array([1, 0]), 5)).toEqual([]);
  expect(asked).toEqual([
    ["documentId", "d"],
    ["documentId", "d"],
  ]);
});

test.each([7, 130])("within a document of %d snippets, those are found that a search of it finds", async (count) => {
  const { store, dispose } = await openTemporaryStore();
  const publish = async (texts: readonly string[]): Promise<string> => {
    const document = sampleDocument();
    const snippets = sampleSnippets(document, [store.indexes.active().id], texts);
    await store.documents.publish(document, texts.join(" "), snippets);
    return document.id;
  };
  const documentId = await publish(Array.from({ length: count }, (_, at) => (at % 2 === 0 ? "apple pear" : "plum")));
  await publish(["apple apple"]);
  const view = store.openSnippets();
  const find = async (limit: number) => {
    const within = { ...scope, documentId };
    const weights = { limit, titleWeight: 0.5, headingWeight: 0.25 };
    const [texts, vectors] = await Promise.all([
      view.searchText(tenantOf(), within, [{ term: "apple", weight: 1 }], weights),
      view.searchVectors(tenantOf(), within, sampleVector(3), limit),
    ]);
    return { texts: texts.map(({ position }) => position).sort(), vectors: vectors.map(({ position }) => position) };
  };
  const [wholeRead, searched] = [await find(100), await find(99)];
  expect(wholeRead.texts).toEqual(searched.texts);
  expect(wholeRead.texts).toHaveLength(Math.ceil(count / 2));
  expect(wholeRead.vectors.slice(0, 5)).toEqual(searched.vectors.slice(0, 5));
  expect(wholeRead.vectors[0]).toBe(3);
  view.close();
  await dispose();
});
