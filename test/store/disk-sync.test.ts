import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { createDiskSync } from "../../src/store/disk-sync.ts";
import { loadLibc } from "../../src/store/libc.ts";

test("calls that wait are answered together, calls one after another each", async () => {
  const disk = await createDiskSync(tmpdir(), loadLibc(), true);
  await Promise.all([disk.sync(), disk.sync(), disk.sync()]);
  await disk.sync();
  await disk.close();
});

test("a system call that fails is told to everybody who waits", async () => {
  const libc = loadLibc();
  if (!libc?.syncfsLibrary) return; // nothing to fail where there is no such call
  const disk = await createDiskSync(tmpdir(), { ...libc, syncfsLibrary: "no-such-library.so" }, true);
  const results = await Promise.allSettled([disk.sync(), disk.sync()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await disk.close();
});

test("switched off, or where the system has no such call, it does nothing", async () => {
  for (const [libc, enabled] of [
    [null, true],
    [loadLibc(), false],
  ] as const) {
    const disk = await createDiskSync("/no/such/folder", libc, enabled);
    await disk.sync();
    await disk.close();
  }
});
