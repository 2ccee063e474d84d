import { expect, test } from "bun:test";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { openTemporaryStore } from "./open-temporary-store.ts";
import { reopen } from "./vectors/made-vectors.ts";

test("a table that only earlier versions used is removed at the next start", async () => {
  const { store, dataDir, dispose } = await openTemporaryStore();
  await store.close();
  const tables = join(dataDir, "tables");
  await cp(join(tables, "site_pages.lance"), join(tables, "calibrations.lance"), { recursive: true });
  const again = await reopen(dataDir);
  const names = await readdir(tables);
  expect([names.includes("site_pages.lance"), names.includes("calibrations.lance")]).toEqual([true, false]);
  await again.close();
  await dispose();
});
