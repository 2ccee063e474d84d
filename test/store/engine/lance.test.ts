import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../src/store/engine/lance.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { type StoredSnippet, snippetRows } from "../../../src/store/search/snippet-rows.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-lance-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the caches are those of the session with a size limit, not LanceDB's own", async () => {
  const { connection, session } = await connect(folder);
  const table = await connection.createTable("rows", [{ id: "a" }]);
  for (let row = 0; row < 5; row += 1) await table.add([{ id: `b${row}` }]);
  await table.query().where("id = 'a'").toArray();
  expect(session.approxNumItems()).toBeGreaterThan(5);
  expect(Number(session.sizeBytes())).toBeGreaterThan(1_000);
  table.close();
  connection.close();
});

test("what upkeep reads of the indexes stays out of the caches of the connection", async () => {
  const opened = await connect(folder);
  const table = await (await createTableOpener(opened, silentLog)).open(snippetRows("words", 8), passiveHooks);
  const rows = (round: number): StoredSnippet[] =>
    sampleSnippets(
      sampleDocument(),
      ["x"],
      Array.from({ length: 300 }, (_, at) => `word${round}a${at} word${round}b${at} word${round}c${at}`),
    ).map(({ vectors: _, ...snippet }) => ({
      ...snippet,
      metadataPairs: [],
      vector: Float32Array.from({ length: 8 }, Math.random),
    }));
  const tidy = () => table.beside(async (lance) => void (await lance.optimize()));
  await table.add("words", rows(0));
  await tidy();
  const before = opened.session.approxNumItems();
  for (const round of [1, 2]) {
    await table.add("words", rows(round));
    await tidy();
  }
  // With the caches of the connection, an entry for each of the 2,700 words and more.
  expect(opened.session.approxNumItems() - before).toBeLessThan(500);
  table.close();
  opened.connection.close();
});
