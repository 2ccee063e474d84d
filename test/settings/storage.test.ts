import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { measureStorage } from "../../src/settings/storage.ts";
import { changeFolders } from "../changing-folders.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = await temporaryFolder("storage");

test("a folder that goes while storage is measured counts as nothing", async () => {
  await mkdir(join(folder, "tables/a"), { recursive: true });
  await writeFile(join(folder, "tables/a/one"), new Uint8Array(100));
  const end = changeFolders(join(folder, "frozen"));
  for (let walk = 0; walk < 500; walk++) {
    const { tables, files } = await measureStorage(folder, new AbortController().signal);
    expect({ tables, files }).toEqual({ tables: 100, files: 0 });
  }
  await end();
});
