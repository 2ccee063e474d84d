import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureStorage } from "../../src/settings/storage.ts";

const folder = await mkdtemp(join(tmpdir(), "carrel-storage-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a folder that goes while storage is measured counts as nothing", async () => {
  await mkdir(join(folder, "tables/a"), { recursive: true });
  await writeFile(join(folder, "tables/a/one"), new Uint8Array(100));
  let isOver = false;
  const freeze = async (): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      await mkdir(join(folder, "frozen", `${round % 8}`, "deep"), { recursive: true });
      await rm(join(folder, "frozen", `${(round + 4) % 8}`), { recursive: true, force: true });
    }
  };
  const changes = [freeze(), freeze()];
  for (let walk = 0; walk < 500; walk++) {
    const { tables, files } = await measureStorage(folder, new AbortController().signal);
    expect({ tables, files }).toEqual({ tables: 100, files: 0 });
  }
  isOver = true;
  await Promise.all(changes);
});
