import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../../src/store/engine/lance.ts";
import { withOldVersions } from "../../../src/store/engine/maintenance.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { organizationRows } from "../../../src/store/records/accounts.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

test("upkeep that failed is followed by one that runs alone, and removes what no version names", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-retention-"));
  const opened = await connect(folder);
  const table = await (await createTableOpener(opened.lance, opened.connection, silentLog)).open(
    organizationRows,
    passiveHooks,
  );
  const removesUnnamed: unknown[] = [];
  const tidy = (work: () => void, mayHoldWrites = true) =>
    withOldVersions(table, { mayHoldWrites }, async (removable) => {
      removesUnnamed.push(removable.removeUnnamed);
      work();
    });
  const pass = () => undefined;
  const fail = () => {
    throw new Error("too many concurrent writers");
  };
  await tidy(pass, false); // the last process may have been interrupted: left for the next
  await tidy(pass);
  await tidy(pass);
  await expect(tidy(fail)).rejects.toThrow("too many concurrent writers");
  await expect(tidy(fail)).rejects.toThrow("too many concurrent writers");
  await tidy(pass);
  await tidy(pass);
  expect(removesUnnamed).toEqual([false, true, false, false, true, true, false]);
  table.close();
  opened.connection.close();
  await rm(folder, { recursive: true });
});
