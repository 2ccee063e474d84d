import { expect, test } from "bun:test";
import { join } from "node:path";
import pino from "pino";
import { connect } from "../../../src/store/engine/lance.ts";
import { openStore } from "../../../src/store/open.ts";
import { openTemporaryStore } from "../open-temporary-store.ts";
import { fill, model, publish } from "../vectors/made-vectors.ts";

test("a store from before vector sets opens without a warning, and its documents lack the vectors of a new set", async () => {
  const { store: first, dataDir, dispose } = await openTemporaryStore();
  await publish(first, ["apple", "pear"]);
  await first.close();
  const { connection } = await connect(join(dataDir, "tables"));
  await connection.dropTable("vector_sets");
  const meta = await connection.openTable("meta");
  await meta.update({ where: "id = 'schemaVersion'", values: { value: "4", checksum: null } });
  meta.close();
  connection.close();

  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
  const store = await openStore({ dataDir, index, log, syncWrites: false });
  expect([store.vectors.active(), store.vectors.building()]).toEqual([null, null]);
  await store.vectors.begin(model);
  expect(await store.vectors.pending()).toEqual({ documents: 1, snippets: 2, totalDocuments: 1, totalSnippets: 2 });
  await fill(store);
  expect(await store.vectors.promote()).toBe(true);
  expect(lines).toEqual([]);
  await store.close();
  await dispose();
});
