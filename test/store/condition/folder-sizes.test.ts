import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolderSizes } from "../../../src/store/condition/folder-sizes.ts";
import { changeFolders } from "../../changing-folders.ts";

const folder = await mkdtemp(join(tmpdir(), "carrel-sizes-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("each part is counted once, with what is deep inside it; links and what is gone are not", async () => {
  await mkdir(join(folder, "tables/a/tables"), { recursive: true });
  await mkdir(join(folder, "files"));
  await writeFile(join(folder, "tables/a/one"), new Uint8Array(100));
  await writeFile(join(folder, "tables/a/tables/two"), new Uint8Array(20));
  await writeFile(join(folder, "lock"), new Uint8Array(3));
  await symlink(join(folder, "tables"), join(folder, "files/link"));
  const sizes = createFolderSizes(folder, ["tables", "files"]);
  expect(await sizes()).toEqual({ tables: 120, files: 0, other: 3 });
  // Measured a moment ago: a scrape does not walk the folder again.
  await writeFile(join(folder, "files/three"), new Uint8Array(7));
  expect(await sizes()).toEqual({ tables: 120, files: 0, other: 3 });
  expect(await createFolderSizes(join(folder, "gone"), ["tables"])()).toEqual({ tables: 0, other: 0 });
});

test("folders that go while they are read are no error", async () => {
  const changing = join(folder, "changing");
  const end = changeFolders(changing);
  for (let walk = 0; walk < 500; walk++) expect(await createFolderSizes(changing, [])()).toEqual({ other: 0 });
  await end();
});
