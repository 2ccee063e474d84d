import { afterAll, expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pino from "pino";
import type { SharedBucket } from "../../src/replication/bucket.ts";
import { newHead, readHead, writeHead } from "../../src/replication/head.ts";
import { createKeeper, type Keeper } from "../../src/replication/keeper.ts";
import { mayMakeStore } from "../../src/replication/place.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { signal } = new AbortController();
const keepers: Keeper[] = [];
const folders: string[] = [];
afterAll(async () => {
  for (const keeper of keepers) await keeper.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A bucket in memory. `onUpload` is called before a file is read. */
const memoryBucket = (onUpload: (object: string) => Promise<void> = async () => undefined) => {
  const objects = new Map<string, Uint8Array>();
  const bucket: SharedBucket = {
    name: "memory",
    read: async (object) => objects.get(object) ?? null,
    async create(object, bytes) {
      if (objects.has(object)) return false;
      objects.set(object, bytes);
      return true;
    },
    async upload(object, path) {
      await onUpload(object);
      objects.set(object, await Bun.file(path).bytes());
    },
    download: async () => false,
    async *list(folder) {
      for (const name of [...objects.keys()].filter((one) => one.startsWith(`${folder}/`)).sort())
        yield { name, bytes: objects.get(name)?.length ?? 0, modifiedAt: 0 };
    },
    async remove(object) {
      objects.delete(object);
    },
  };
  return { bucket, objects };
};

const manifest = (version: number): string => `_versions/${String(2n ** 64n - 1n - BigInt(version))}.manifest`;

const startKeeper = async (bucket: SharedBucket, files: Record<string, string>) => {
  const dataDir = await temporaryFolder("keeper");
  folders.push(dataDir);
  const write = async (path: string, text: string): Promise<void> => {
    const at = join(dataDir, "tables/notes.lance", path);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  const taken = await writeHead(bucket, { ...newHead, keeper: { id: "a", address: "" } }, 0, signal);
  if (taken === null) throw new Error("the place is taken");
  const keeper = createKeeper({
    ...{ bucket, dataDir, taken, inBucket: new Map(), fetchFile: async () => false },
    log: pino({ level: "silent" }),
  });
  keepers.push(keeper);
  return { keeper, write, remove: (path: string) => rm(join(dataDir, "tables/notes.lance", path)) };
};

test("a version whose files upkeep removes while they are sent is not named: the next one is", async () => {
  const moved = { on: async (): Promise<void> => undefined };
  const { bucket, objects } = memoryBucket(async (object) => {
    if (object.includes("/data/")) await moved.on();
  });
  const { keeper, write, remove } = await startKeeper(bucket, { [manifest(1)]: "one", "data/1.lance": "rows" });
  moved.on = async () => {
    moved.on = async () => undefined;
    await write("data/2.lance", "all rows");
    await write(manifest(2), "two");
    await remove("data/1.lance");
  };
  await keeper.replication.replicate();
  const head = await readHead(bucket, signal);
  const named = head?.tables.notes?.object ?? "";
  expect(new TextDecoder().decode(objects.get(named))).toBe("two");
  expect(objects.has("tables/notes.lance/data/2.lance")).toBe(true);
});

test("what a failed write left and removed is no reason to wait", async () => {
  const gone = { on: async (): Promise<void> => undefined };
  const { bucket } = memoryBucket(async (object) => {
    if (object.endsWith("stray.lance")) await gone.on();
  });
  const files = { [manifest(1)]: "one", "data/1.lance": "rows", "data/stray.lance": "x" };
  const { keeper, remove } = await startKeeper(bucket, files);
  gone.on = () => remove("data/stray.lance");
  await keeper.replication.replicate();
  expect((await readHead(bucket, signal))?.tables.notes?.name).toBe(manifest(1).slice("_versions/".length));
});

test("a head whose names would lead out of the folder is none", async () => {
  for (const tables of [
    { "../notes": { name: manifest(1).slice("_versions/".length), object: "manifests/notes/1", bytes: 3 } },
    { notes: { name: "../../secret", object: "manifests/notes/1", bytes: 3 } },
  ]) {
    const { bucket } = memoryBucket();
    await writeHead(bucket, { ...newHead, tables }, 0, signal);
    await expect(readHead(bucket, signal)).rejects.toThrow("is not one that this version of Carrel reads");
  }
});

test("who comes second has lost the place, and acknowledges nothing", async () => {
  const { bucket } = memoryBucket();
  const { keeper, write } = await startKeeper(bucket, { [manifest(1)]: "one" });
  await keeper.replication.replicate();
  const head = await readHead(bucket, signal);
  if (head === null) throw new Error("there is no head");
  const { nonce: _, number, ...rest } = head;
  await writeHead(bucket, { ...rest, keeper: { id: "b", address: "" } }, number, signal);
  await write(manifest(2), "two");
  await expect(keeper.replication.replicate()).rejects.toThrow("another process writes the shared store now");
  await keeper.lost;
  expect((await readHead(bucket, signal))?.keeper?.id).toBe("b");
});

test("a keeper that sends tables for long shows that it lives, and no head names a table before its files are there", async () => {
  const { bucket, objects } = memoryBucket(async (object) => {
    if (object.endsWith("/data/1.lance")) await Bun.sleep(5_500);
  });
  const { keeper } = await startKeeper(bucket, { [manifest(1)]: "one", "data/1.lance": "rows" });
  const seen: { number: number; names: string[] }[] = [];
  const done = keeper.replication.replicate();
  let isDone = false;
  void done.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const head = await readHead(bucket, signal);
    const isThere = objects.has("tables/notes.lance/data/1.lance");
    if (head !== null && !isThere) seen.push({ number: head.number, names: Object.keys(head.tables) });
    await Bun.sleep(100);
  }
  await done;
  expect(new Set(seen.map(({ number }) => number)).size).toBeGreaterThanOrEqual(3); // each two seconds
  expect(seen.flatMap(({ names }) => names)).toEqual([]);
  expect(Object.keys((await readHead(bucket, signal))?.tables ?? {})).toEqual(["notes"]);
  expect([...objects.keys()].filter((name) => name.startsWith("manifests/"))).toHaveLength(1);
}, 30_000);

test("a bucket without tables: a keeper that was bringing its store is waited for, the place of another is free", () => {
  const head = { ...newHead, keeper: { id: "a", address: "" } };
  expect(mayMakeStore({ ...head, arriving: true }, "a", false)).toBe(true);
  expect(mayMakeStore({ ...head, arriving: true }, "b", true)).toBe(false);
  expect(mayMakeStore(head, "b", true)).toBe(true);
  expect(mayMakeStore(head, "b", false)).toBe(false);
});
