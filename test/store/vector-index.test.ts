import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toArrowTable } from "../../src/store/arrow-rows.ts";
import { createRowReader } from "../../src/store/cells.ts";
import { connect } from "../../src/store/lance.ts";
import { snippetRows } from "../../src/store/snippet-rows.ts";
import { createVectorIndexUpkeep, nearest } from "../../src/store/vector-index.ts";
import { sampleDocument, sampleSnippets } from "./sample-records.ts";

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
  const upkeep = createVectorIndexUpkeep(lance, 3_000);
  const isIndexed = async () => (await table.listIndices()).some(({ columns }) => columns.includes("vector"));
  await createVectorIndexUpkeep(lance)(table);
  expect(await isIndexed()).toBe(false); // too few by default
  await upkeep(table);
  expect(await isIndexed()).toBe(true);
  await table.add(toArrowTable(definition.schema, rows(200)));

  const ids = async (vector: Float32Array, exact: boolean): Promise<string[]> => {
    const found = await nearest(table, vector, exact).select(["record", "_distance"]).limit(100).toArrow();
    return found.batches.flatMap((batch) => {
      const reader = createRowReader(batch);
      return Array.from({ length: reader.length }, (_, row) => JSON.parse(reader.at(row).string("record")).id);
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
  await upkeep(table);
  expect(await recall()).toBeGreaterThanOrEqual(0.97);
  await rm(folder, { recursive: true, force: true });
}, 60_000);
