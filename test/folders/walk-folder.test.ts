import { expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { walkFolder } from "../../src/folders/walk-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = await temporaryFolder("walk");

test("a folder too deep, or gone, is reported as unreadable", async () => {
  const deep = join(folder, "deep");
  await mkdir(join(deep, ...Array.from({ length: 100 }, () => "d")), { recursive: true });
  const [found] = await Array.fromAsync(walkFolder(folder));
  expect(found).toMatchObject({ kind: "unreadable", code: "more than 100 levels deep" });
  await rm(deep, { recursive: true });
  expect(await Array.fromAsync(walkFolder(deep))).toEqual([{ kind: "unreadable", path: "", code: "ENOENT" }]);
});
