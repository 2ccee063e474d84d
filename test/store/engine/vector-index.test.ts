import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toArrowTable } from "../../../src/store/engine/arrow-rows.ts";
import { createRowReader } from "../../../src/store/engine/cells.ts";
import { connect, type LanceTable } from "../../../src/store/engine/lance.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { createVectorIndexState, keepVectorIndex, nearest } from "../../../src/store/engine/vector-index.ts";
import { decodeSnippet, snippetRows } from "../../../src/store/search/snippet-rows.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

/** Numbers in [-1, 1) that are the same in every run. */
const createNoise = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x8000_0000 - 1;
  };
};

test("the index finds what the exact search finds, also rows written after it was built and none without vector", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-vectors-"));
  const { lance, connection } = await connect(folder);
  const dimensions = 64;
  const definition = snippetRows("x", dimensions);
  const table = await connection.createEmptyTable(definition.name, definition.schema);
  const noise = createNoise(42);
  const vectorOf = (): Float32Array => Float32Array.from({ length: dimensions }, noise);
  const document = sampleDocument();
  const rows = (count: number) =>
    sampleSnippets(document, ["x"], new Array(count).fill("apple")).map(({ vectors: _, ...snippet }, row) =>
      definition.encode({ ...snippet, metadataPairs: [], vector: row % 50 === 49 ? null : vectorOf() }),
    );
  await table.add(toArrowTable(definition.schema, rows(4_000)));
  const { plan, note, isBuilt } = createVectorIndexState(3_000);
  const upkeep = async (): Promise<void> => note(await keepVectorIndex(lance, table, plan()));
  const isIndexed = async () => (await table.listIndices()).some(({ columns }) => columns.includes("vector"));
  expect(await keepVectorIndex(lance, table, createVectorIndexState().plan())).toBe(null);
  expect(await isIndexed()).toBe(false); // too few by default
  expect(isBuilt()).toBe(false);
  await upkeep();
  expect(await isIndexed()).toBe(true);
  expect(isBuilt()).toBe(true);
  await table.add(toArrowTable(definition.schema, rows(200)));

  const ids = async (vector: Float32Array, exact: boolean): Promise<string[]> => {
    const found = await nearest(table, vector, exact).select(["record", "_distance"]).limit(100).toArrow();
    return found.batches.flatMap((batch) => {
      const reader = createRowReader(batch);
      return Array.from({ length: reader.length }, (_, row) => decodeSnippet(reader.at(row)).id);
    });
  };
  const recall = async (): Promise<number> => {
    let found = 0;
    for (let query = 0; query < 10; query += 1) {
      const vector = vectorOf();
      const [exact, approximate] = await Promise.all([ids(vector, true), ids(vector, false)]);
      expect(exact).toHaveLength(100);
      found += approximate.filter((id) => exact.includes(id)).length;
    }
    return found / 1_000;
  };
  expect(await recall()).toBeGreaterThanOrEqual(0.97);
  await table.optimize({ cleanupOlderThan: new Date() });
  await upkeep();
  expect(await recall()).toBeGreaterThanOrEqual(0.97);
  await rm(folder, { recursive: true, force: true });
});

test("a vector index without its files is dropped when its table is opened, and rebuilt by upkeep", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-vectors-"));
  const definition = { ...snippetRows("x", 8), indexes: {} };
  const open = async () => {
    const { lance, connection } = await connect(folder);
    const { lance: table } = await (await createTableOpener(lance, connection, silentLog)).open(
      definition,
      passiveHooks,
    );
    return {
      table,
      upkeep: () => keepVectorIndex(lance, table, createVectorIndexState(500).plan()),
      close: () => connection.close(),
    };
  };
  const isIndexed = async (table: LanceTable) =>
    (await table.listIndices()).some(({ columns }) => columns.includes("vector"));
  const noise = createNoise(7);
  const first = await open();
  const rows = sampleSnippets(sampleDocument(), ["x"], new Array(600).fill("apple")).map(({ vectors: _, ...snippet }) =>
    definition.encode({ ...snippet, metadataPairs: [], vector: Float32Array.from({ length: 8 }, noise) }),
  );
  await first.table.add(toArrowTable(definition.schema, rows));
  await first.upkeep();
  expect(await isIndexed(first.table)).toBe(true);
  first.close();

  const indexes = join(folder, `${definition.name}.lance`, "_indices");
  for (const name of await readdir(indexes)) await rm(join(indexes, name), { recursive: true });
  const { table, upkeep, close } = await open();
  expect(await isIndexed(table)).toBe(false);
  const find = () => nearest(table, new Float32Array(8).fill(1), false).limit(10).toArray();
  expect(await find()).toHaveLength(10);
  await upkeep();
  expect(await isIndexed(table)).toBe(true);
  expect(await find()).toHaveLength(10);
  close();
  await rm(folder, { recursive: true });
});
