import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../src/store/engine/lance.ts";

test("the caches are those of the session with a size limit, not LanceDB's own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "carrel-lance-"));
  const { connection, session } = await connect(folder);
  const table = await connection.createTable("rows", [{ id: "a" }]);
  for (let row = 0; row < 5; row += 1) await table.add([{ id: `b${row}` }]);
  await table.query().where("id = 'a'").toArray();
  expect(session.approxNumItems()).toBeGreaterThan(5);
  expect(Number(session.sizeBytes())).toBeGreaterThan(1_000);
  table.close();
  connection.close();
  rmSync(folder, { recursive: true });
});
