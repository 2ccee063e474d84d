import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../../../src/evaluation/estimates.ts";
import { toArrowTable } from "../../../src/store/engine/arrow-rows.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { keepVectorIndex, nearestByCodes } from "../../../src/store/engine/vector-index.ts";
import { textColumns, warmIndex } from "../../../src/store/search/open-indexes.ts";
import { snippetRows } from "../../../src/store/search/snippet-rows.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

const dimensions = 16;
const rows = 1_500;

test("what a search needs of new indexes is read before it, by another handle", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-warm-"));
  const definition = snippetRows("x", dimensions);
  const made = await connect(folder);
  const opened = await createTableOpener(made.lance, made.connection, silentLog);
  const random = createRandom(3);
  const texts = Array.from({ length: rows }, (_, at) => `apple word${at}`);
  const encoded = sampleSnippets(sampleDocument(), ["x"], texts).map(({ vectors: _, ...snippet }) =>
    definition.encode({
      ...snippet,
      metadataPairs: [],
      vector: Float32Array.from({ length: dimensions }, () => random() - 0.5),
    }),
  );
  const { lance: table } = await opened.open(definition, passiveHooks);
  await table.add(toArrowTable(definition.schema, encoded));
  await table.optimize();
  expect(await keepVectorIndex(made.lance, table, { fromRows: 1_000, builtAtRows: null })).toBe(rows);
  made.connection.close();

  const { lance, connection, session } = await connect(folder); // its caches are empty
  const searched = await connection.openTable(definition.name);
  const search = async (): Promise<void> => {
    for (const column of textColumns)
      await searched.query().fullTextSearch(new lance.MatchQuery("b", column)).fastSearch().limit(1).toArrow();
    await nearestByCodes(searched, new Float32Array(dimensions).fill(1)).fastSearch().select(["_distance"]).toArrow();
  };
  const ahead = await connection.openTable(definition.name);
  const grownBy = async (work: () => Promise<void>): Promise<bigint> => {
    const before = session.sizeBytes();
    await work();
    return session.sizeBytes() - before;
  };
  expect(await grownBy(() => warmIndex(lance, ahead, dimensions))).toBeGreaterThan(10_000n);
  expect(await grownBy(search)).toBeLessThan(2_000n);
  connection.close();
  await rm(folder, { recursive: true, force: true });
});
