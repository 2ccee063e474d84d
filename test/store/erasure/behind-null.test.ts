import { afterAll, expect, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../src/store/engine/lance.ts";
import { eraseRows } from "../../../src/store/upkeep/upkeep-here.ts";
import { filesWith } from "./files-with.ts";

const kept = join(import.meta.dir, "../../fixtures/behind-null");
const removed = ["Qztkjtapihzmjybaing"];
const folder = await mkdtemp(join(tmpdir(), "carrel-behind-null-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("what a file keeps of a removed row behind cells without a value is erased, and the cells stay without one", async () => {
  await cp(kept, folder, { recursive: true });
  expect(await filesWith(folder, removed)).toHaveLength(1);
  const { lance, connection } = await connect(folder);
  const table = await connection.openTable("documents");
  const before = await table.query().toArray();
  await eraseRows(lance, table, { table: "documents", indexes: {} });
  await table.optimize({ cleanupOlderThan: new Date(Date.now() + 1_000) });
  expect(await filesWith(folder, removed)).toEqual([]);
  const metadata = (rows: typeof before) => rows.map((row) => `${row.id} ${row.metadata}`).sort();
  expect(metadata(await table.query().toArray())).toEqual(metadata(before));
  expect(before.filter((row) => row.metadata === null)).toHaveLength(60);
  connection.close();
});
