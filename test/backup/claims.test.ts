import { beforeEach, expect, test } from "bun:test";
import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClaims } from "../../src/backup/claims.ts";
import { readManifests } from "../../src/backup/manifests.ts";
import { takeBackup } from "../../src/backup/take-backup.ts";
import { openFolderTarget } from "../../src/backup/target/folder-target.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { signal } = new AbortController();
const [mine, other] = ["1".repeat(16), "2".repeat(16)];
const folder = await temporaryFolder("claims");
const target = await openFolderTarget(folder);
beforeEach(() => rm(join(folder, "claims"), { recursive: true, force: true }));

test("nobody prunes while a backup of another server runs", async () => {
  const backup = await createClaims(target, other).forBackup(signal);
  expect(await createClaims(target, mine).forPruning(signal)).toBeNull();
  await backup.release();
  const claim = await createClaims(target, mine).forPruning(signal);
  expect(claim).not.toBeNull();
  await claim?.release();
  expect(await readdir(join(folder, "claims"))).toEqual([]);
});

test("two backups of different servers run at the same time", async () => {
  const one = await createClaims(target, other).forBackup(signal);
  const two = await createClaims(target, mine).forBackup(signal);
  await Promise.all([one.release(), two.release()]);
});

test("a backup waits until another server has pruned", async () => {
  const pruning = await createClaims(target, other).forPruning(signal);
  let began = false;
  const backup = createClaims(target, mine)
    .forBackup(signal)
    .then((claim) => {
      began = true;
      return claim;
    });
  await Bun.sleep(100);
  expect(began).toBe(false);
  await pruning?.release();
  await (await backup).release();
});

test("a backup that is stopped while it waits leaves no claim", async () => {
  const pruning = await createClaims(target, other).forPruning(signal);
  const stop = new AbortController();
  const waiting = createClaims(target, mine).forBackup(stop.signal);
  await Bun.sleep(50);
  stop.abort(new Error("stopped"));
  expect(String(await waiting.catch((error: unknown) => error))).toContain("stopped");
  await pruning?.release();
  expect(await readdir(join(folder, "claims"))).toEqual([]);
});

test("claims of a killed process do not count: one's own at once, others after a quarter of an hour", async () => {
  await createClaims(target, mine).forBackup(signal); // never released
  await createClaims(target, other).forBackup(signal);
  const [left] = (await readdir(join(folder, "claims"))).filter((name) => name.startsWith(other));
  expect(await createClaims(target, mine).forPruning(signal)).toBeNull();
  expect(await readdir(join(folder, "claims"))).toEqual([left ?? ""]);
  const longAgo = new Date(Date.now() - 16 * 60_000);
  await utimes(join(folder, "claims", left ?? ""), longAgo, longAgo);
  const claim = await createClaims(target, mine).forPruning(signal);
  expect(claim).not.toBeNull();
  await claim?.release();
});

test("files of others in the folder are left alone", async () => {
  await (await createClaims(target, mine).forBackup(signal)).release();
  await writeFile(join(folder, "claims/notes.txt"), "");
  const claim = await createClaims(target, mine).forPruning(signal);
  expect(claim).not.toBeNull();
  await claim?.release();
  expect(await readdir(join(folder, "claims"))).toEqual(["notes.txt"]);
});

test("a backup that another server took for dead is not completed", async () => {
  const backup = await createClaims(target, other).forBackup(signal);
  await backup.assertHeld();
  const [name = ""] = await readdir(join(folder, "claims"));
  const longAgo = new Date(Date.now() - 16 * 60_000);
  await utimes(join(folder, "claims", name), longAgo, longAgo); // its machine was suspended
  const pruning = await createClaims(target, mine).forPruning(signal);
  expect(pruning).not.toBeNull();
  await pruning?.release();
  const taken = takeBackup({
    id: "0198c5a0-0000-7000-8000-000000000000",
    createdAt: 0,
    target,
    freeze: async () => ({ markedAt: 0, documents: 0, files: [], release: async () => undefined }),
    assertHeld: backup.assertHeld,
    store: "store",
    version: "0",
    onProgress: () => undefined,
    server: { host: "host", dataDir: "/data" },
    onOthers: () => undefined,
    onMissing: () => undefined,
    signal,
  });
  await expect(taken).rejects.toThrow("took this one for dead");
  expect(await readManifests(target, signal)).toEqual([]);
  await backup.release();
});
