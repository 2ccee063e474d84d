import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFreeSpaceGuard } from "../../../src/store/disk/free-space.ts";
import { textRows } from "../../../src/store/documents/document-rows.ts";
import { type Connection, connect } from "../../../src/store/engine/lance.ts";
import type { StoreTable } from "../../../src/store/engine/store-table.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { brokenDeletionFiles } from "../../../src/store/recovery/check-table.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

type Row = Parameters<(typeof textRows)["encode"]>[0];

let folder: string;
let connection: Connection;
let table: StoreTable<Row>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-whole-"));
  const opened = await connect(folder);
  connection = opened.connection;
  const { explain } = await createFreeSpaceGuard({ dataDir: folder, log: silentLog, freeBytes: async () => 2 ** 40 });
  const hooks = {
    ...passiveHooks,
    explain,
    brokenDeletions: (name: string, version: number) => brokenDeletionFiles(join(folder, `${name}.lance`), version),
  };
  table = await (await createTableOpener(opened.lance, connection, silentLog)).open(textRows, hooks);
});
afterEach(async () => {
  connection.close();
  await rm(folder, { recursive: true, force: true });
});

const row = (id: string, text = id): Row => ({ id, organizationId: "o", documentId: id, text });
const add = (ids: readonly string[]) =>
  table.add(
    "rows",
    ids.map((id) => row(id)),
  );
const texts = async (): Promise<string[]> => (await table.find({})).map(({ text }) => text).toSorted();

/** What LanceDB does on a disk that is full for a moment: deletion files are made, and nothing is written to them. */
const cutDeletionsOff = async (bytes: number): Promise<void> => {
  const deletions = join(folder, "texts.lance/_deletions");
  for (const name of await readdir(deletions)) await truncate(join(deletions, name), bytes);
};
const onFullDisk = (bytes: number) => {
  const { lance } = table;
  const [remove, mergeInsert, restore] = [lance.delete, lance.mergeInsert, lance.restore];
  let isFull = true;
  lance.delete = async (where) => {
    const removed = await remove.call(lance, where);
    if (isFull) await cutDeletionsOff(bytes);
    return removed;
  };
  type Merge = ReturnType<typeof mergeInsert>;
  const cutting = (merge: Merge): Merge =>
    ({
      whenMatchedUpdateAll: () => cutting(merge.whenMatchedUpdateAll()),
      whenNotMatchedInsertAll: () => cutting(merge.whenNotMatchedInsertAll()),
      async execute(data: Parameters<Merge["execute"]>[0]) {
        const merged = await merge.execute(data);
        if (isFull) await cutDeletionsOff(bytes);
        return merged;
      },
    }) as Merge;
  lance.mergeInsert = (on) => cutting(mergeInsert.call(lance, on));
  lance.restore = () => (isFull ? Promise.reject(new Error("No space left on device")) : restore.call(lance));
  return () => {
    isFull = false;
  };
};

test("a removal whose file the disk cut off is taken back, and refused", async () => {
  for (const bytes of [0, 10]) {
    await add(["a", "b", "c"]);
    const makeRoom = onFullDisk(bytes);
    await expect(table.remove("rows", "id", ["b"])).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(await texts()).toEqual(["a", "b", "c"]);
    // While there is no room to take it back for good, nothing is written and everything is read.
    await expect(add(["d"])).rejects.toMatchObject({ code: "storage_unavailable" });
    await expect(table.beside(async () => undefined)).rejects.toThrow("No space left");
    expect(await texts()).toEqual(["a", "b", "c"]);
    makeRoom();
    await add(["d"]);
    await table.remove("rows", "id", ["b"]);
    expect(await texts()).toEqual(["a", "c", "d"]);
    const again = await connection.openTable("texts");
    expect(await again.query().toArray()).toHaveLength(3);
    await table.remove("rows", "id", ["a", "c", "d"]);
  }
});

test("so is a replacement", async () => {
  await add(["a", "b"]);
  const makeRoom = onFullDisk(0);
  await expect(table.upsert("rows", [row("a", "other")])).rejects.toMatchObject({ code: "storage_unavailable" });
  makeRoom();
  await expect(texts()).resolves.toEqual(["a", "b"]);
  await table.upsert("rows", [row("a", "new")]);
  expect(await texts()).toEqual(["b", "new"]);
});

test("whole files are none of these, of few removed rows and of many", async () => {
  await add(Array.from({ length: 9_000 }, (_, at) => `${at}`));
  const names = () => readdir(join(folder, "texts.lance/_deletions"));
  await table.remove("rows", "id", ["5"]);
  expect(await names()).toEqual([expect.stringMatching(/\.arrow$/)]);
  await table.remove(
    "rows",
    "id",
    Array.from({ length: 7_000 }, (_, at) => `${at}`),
  );
  expect(await names()).toHaveLength(2);
  expect(await texts()).toHaveLength(2_000);
  expect(await brokenDeletionFiles(join(folder, "texts.lance"), 0)).toEqual([]);
  await cutDeletionsOff(0);
  expect(await brokenDeletionFiles(join(folder, "texts.lance"), 0)).toHaveLength(2);
});
