import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError } from "../../../src/domain/errors.ts";
import { createBlobFolder } from "../../../src/store/blobs/blob-folder.ts";
import { createFreeSpaceGuard } from "../../../src/store/disk/free-space.ts";
import { noDamage, silentLog } from "../open-temporary-store.ts";

const megabyte = 1_000_000;
const guarded = 5 * megabyte;
let folder: string;
/** Of the disk: what is written takes it up, but is seen only when the guard looks again. */
let free: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-space-"));
  free = 25 * megabyte;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const createGuard = () =>
  createFreeSpaceGuard({ dataDir: folder, log: silentLog, minFreeBytes: guarded, freeBytes: async () => free });

const createFolder = async () =>
  createBlobFolder({
    ...(await createGuard()),
    folder: join(folder, "files"),
    isReferred: async () => false,
    referredHashes: async () => new Set(),
    damage: noDamage,
    flush: false,
    elsewhere: null,
  });

/** So many bytes that nobody else sends, in chunks, each taking up the disk. */
const upload = (bytes: number): ReadableStream<Uint8Array> => {
  const mark = crypto.getRandomValues(new Uint8Array(16));
  let left = bytes;
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(1);
      const chunk = new Uint8Array(Math.min(left, 500_000));
      chunk.set(mark.subarray(0, chunk.length));
      left -= chunk.length;
      free -= chunk.length;
      controller.enqueue(chunk);
      if (left === 0) controller.close();
    },
  });
};

const statusOf = async (work: Promise<unknown>): Promise<number> => {
  try {
    await work;
    return 200;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
};

test.each([
  ["declared", 4 * megabyte],
  ["not declared", undefined],
])("ten uploads at once leave what is guarded, their length %s", async (_, declared) => {
  const blobs = await createFolder();
  const statuses = await Promise.all(
    Array.from({ length: 10 }, () => statusOf(blobs.put(upload(4 * megabyte), 10 * megabyte, declared))),
  );
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(5);
  // A chunk that was refused was read, not written.
  expect(free).toBeGreaterThanOrEqual(guarded - 10 * 500_000);
  expect(await readdir(join(folder, "files", "drafts"))).toEqual([]);
});

test("space that one upload did not use is free for another", async () => {
  const guard = await createGuard();
  const first = await guard.reserve(18 * megabyte, "uploads");
  expect(await statusOf(guard.reserve(5 * megabyte, "uploads"))).toBe(503);
  first.written(5 * megabyte);
  first.release();
  const second = await guard.reserve(10 * megabyte, "uploads");
  expect(await statusOf(second.beforeWrite(16 * megabyte))).toBe(503);
  await second.beforeWrite(10 * megabyte);
  second.release();
});

test("a table may use the space reserved by uploads; tables share the rest", async () => {
  const guard = await createGuard();
  await guard.reserve(19 * megabyte, "uploads");
  const table = await guard.reserve(15 * megabyte, "tables");
  expect(await statusOf(guard.reserve(10 * megabyte, "tables"))).toBe(503);
  table.written(15 * megabyte);
  table.release();
  expect(await statusOf(guard.reserve(10 * megabyte, "tables"))).toBe(503);
  expect(await statusOf(guard.reserve(1 * megabyte, "tables"))).toBe(200);
});

test("a removal may use what is left of a full disk, then the reserve file's space, and is refused without either", async () => {
  free = 2 * guarded + 40 * megabyte;
  let disk = free;
  const reserve = join(folder, "reserve");
  const guard = await createFreeSpaceGuard({
    dataDir: folder,
    log: silentLog,
    minFreeBytes: guarded,
    freeBytes: async () => ((await Bun.file(reserve).exists()) ? disk : disk + 16 * 1024 * 1024),
  });
  expect(await Bun.file(reserve).exists()).toBe(true);
  disk = megabyte; // others filled it
  (await guard.reserve(0, "removals")).release();
  expect(await Bun.file(reserve).exists()).toBe(true);
  disk = 0;
  (await guard.reserve(0, "removals")).release();
  expect(await Bun.file(reserve).exists()).toBe(false);
  disk = -16 * 1024 * 1024;
  expect(await statusOf(guard.reserve(0, "removals"))).toBe(503);
});
