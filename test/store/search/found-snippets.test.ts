import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection, Lance, LanceTable } from "../../../src/store/engine/lance.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import type { StoreTable } from "../../../src/store/engine/store-table.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { createVectorIndexState, keepVectorIndex } from "../../../src/store/engine/vector-index.ts";
import { createSharedRead, nearestSnippets, snippetsAt } from "../../../src/store/search/found-snippets.ts";
import { createRecentSnippets, type FoundSnippet } from "../../../src/store/search/recent-snippets.ts";
import { type StoredSnippet, snippetRows } from "../../../src/store/search/snippet-rows.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

let folder: string;
let lance: Lance;
let connection: Connection;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-found-"));
  ({ lance, connection } = await connect(folder));
});
afterAll(async () => {
  connection.close();
  await rm(folder, { recursive: true, force: true });
});

const near = 30;

/**
 * Vectors in a plane, each a little further from the first; those after the first `near` are far away. An index learns
 * its codes by chance, so that the order of neighbors by codes is chance too, but not which of the two they are.
 */
const vectorOf = (position: number): Float32Array => {
  const angle = (position < near ? 0 : 2) + position / 2_000;
  return Float32Array.of(Math.cos(angle), Math.sin(angle), 0, 0, 0, 0, 0, 0);
};

const open = async (name: string, count: number) => {
  const opener = await createTableOpener(lance, connection, silentLog);
  const table = await opener.open(snippetRows(name, 8), passiveHooks);
  const texts = Array.from({ length: count }, (_, at) => `text ${at}`);
  const stored = sampleSnippets(sampleDocument(), ["x"], texts).map(
    ({ vectors: _, ...snippet }): StoredSnippet => ({
      ...snippet,
      metadataPairs: [],
      vector: vectorOf(snippet.position),
    }),
  );
  await table.add("x", stored);
  const rowIds = await table.run(table.lance.query().select(["position"]).withRowId(), (row) => ({
    id: row.bigint("_rowid"),
    position: row.number("position"),
  }));
  const ids = rowIds.sort((one, other) => one.position - other.position).map(({ id }) => id);
  let reads = 0;
  const counting = {
    ...table,
    run: (...[query, decode]: Parameters<typeof table.run>) => {
      reads += 1;
      return table.run(query, decode);
    },
  } as StoreTable<StoredSnippet>;
  return { table: counting, ids, reads: () => reads };
};

test("rows are returned in the order of their ids, and read once", async () => {
  const { table, ids, reads } = await open("order", 5);
  const index = { table, recent: createRecentSnippets() };
  const texts = async (positions: number[]) =>
    (
      await snippetsAt(
        index,
        positions.map((position) => ids[position] ?? 0n),
      )
    ).map((snippet) => snippet?.record.text);
  expect(await texts([3, 0])).toEqual(["text 3", "text 0"]);
  expect(await texts([0, 3, 0])).toEqual(["text 0", "text 3", "text 0"]);
  expect(reads()).toBe(1);
  expect(await texts([0, 4])).toEqual(["text 0", "text 4"]);
  expect(reads()).toBe(2);
  expect((await snippetsAt(index, [ids[4] ?? 0n]))[0]?.vector).toEqual(vectorOf(4));
});

test("searches that run at the same time read what they find together", async () => {
  const { table, ids, reads } = await open("shared", 6);
  const shared = createSharedRead({ table, recent: createRecentSnippets() });
  const at = (positions: number[]) => positions.map((position) => ids[position] ?? 0n);
  const later = Promise.withResolvers<bigint[]>();
  const read = async (search: () => Promise<bigint[]>) =>
    (await shared.read(search)).map((snippet) => snippet?.record.position ?? null);
  const searches = [
    read(async () => at([3, 1])),
    read(() => later.promise),
    read(() => Promise.reject(new Error("failed"))).catch(String),
  ];
  later.resolve(at([1, 5]));
  expect(await Promise.all(searches)).toEqual([[3, 1], [1, 5], "Error: failed"]);
  expect(reads()).toBe(1);
  expect(await read(async () => [...at([2]), 999n << 32n])).toEqual([2, null]);
});

test("a row that was removed, or moved by upkeep, is told", async () => {
  const { table, ids } = await open("moved", 6);
  const at = (positions: number[]) =>
    snippetsAt(
      { table, recent: createRecentSnippets() },
      positions.map((position) => ids[position] ?? 0n),
    );
  await table.lance.delete("position = 1");
  expect((await at([0, 1, 2])).map((snippet) => snippet?.record.position ?? null)).toEqual([0, null, 2]);
  await (table.lance as LanceTable).optimize({ cleanupOlderThan: new Date() });
  expect(await at([0, 2])).toEqual([null, null]);
});

test("what the codes of a vector index find is put in exact order", async () => {
  const { table } = await open("codes", 1_200);
  const vectorIndex = createVectorIndexState(1_000);
  vectorIndex.note(await keepVectorIndex(lance, table.lance, vectorIndex.plan()));
  expect(vectorIndex.isBuilt()).toBe(true);
  const index = { table, recent: createRecentSnippets(), hasVectorIndex: vectorIndex.isBuilt };
  const searched = () => ({ segment: index, shared: createSharedRead(index) });
  const limit = 40;
  const nearest = Array.from({ length: limit / 2 }, (_, position) => position);
  const find = async (isExact: boolean, unindexed: FoundSnippet[] | null) =>
    (await nearestSnippets([{ ...searched(), unindexed }], vectorOf(0), { where: null, limit, isExact }))
      .map((snippet) => snippet?.record.position ?? -1)
      .slice(0, limit / 2);
  expect(await find(true, null)).toEqual(nearest);
  expect(await find(false, null)).toEqual(nearest);
  expect(await find(false, [])).toEqual(nearest);

  // What no index holds is compared too: once, and without those that have no vector.
  const [other] = sampleSnippets(sampleDocument(), ["x"], ["late"]);
  const late = (id: string, vector: Float32Array | null) => ({
    record: { ...(other as NonNullable<typeof other>), id, position: 5_000 },
    vector,
  });
  const options = { where: "true", limit: 2, isExact: true };
  const first = (await nearestSnippets([{ ...searched(), unindexed: null }], vectorOf(0), options)).filter(
    (snippet) => snippet !== null,
  );
  const unindexed = [late("late", vectorOf(0.5)), late("none", null), late("zero", new Float32Array(8)), ...first];
  expect(await find(false, unindexed)).toEqual([0, 5_000, ...nearest.slice(1, -1)]);
});
