import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskSync } from "../../../src/store/disk/disk-sync.ts";
import { type Libc, loadLibc } from "../../../src/system/libc.ts";
import { until } from "../../until.ts";

const folder = await mkdtemp(join(tmpdir(), "carrel-sync-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Stands in for the C library: its `syncfs` takes a moment and writes the descriptor it was given into a file. */
const buildCountingLibrary = async (result: number): Promise<{ libc: Libc; calls(): Promise<string[]> } | null> => {
  const libc = loadLibc();
  const compiler = Bun.which("cc");
  if (libc?.syncfsLibrary == null || compiler === null) return null;
  const log = join(folder, `calls-${result}`);
  const library = join(folder, `libcount${result}.so`);
  const source = `
    #include <fcntl.h>
    #include <stdio.h>
    #include <unistd.h>
    int syncfs(int descriptor) {
      char path[4096] = {0}, link[64], line[4200];
      snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      readlink(link, path, sizeof path - 1);
      int length = snprintf(line, sizeof line, "%s\\n", path);
      int file = open("${log}", O_WRONLY | O_CREAT | O_APPEND, 0600);
      write(file, line, length);
      close(file);
      usleep(50000);
      return ${result};
    }`;
  const built = Bun.spawn([compiler, "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", library], {
    stdin: new Blob([source]),
  });
  expect(await built.exited).toBe(0);
  const calls = async () =>
    (
      await Bun.file(log)
        .text()
        .catch(() => "")
    )
      .split("\n")
      .filter((line) => line !== "");
  return { libc: { ...libc, syncfsLibrary: library }, calls };
};

const counting = await buildCountingLibrary(0);
const failing = await buildCountingLibrary(-1);

test.skipIf(counting === null)("each sync resolves after the system has written the disk", async () => {
  const { libc, calls } = counting as NonNullable<typeof counting>;
  const disk = await createDiskSync(folder, libc, true);
  await disk.sync();
  expect(await calls()).toEqual([folder]);
  // Calls of one moment share a system call.
  await Promise.all([disk.sync(), disk.sync(), disk.sync()]);
  expect(await calls()).toHaveLength(2);
  // One that is under way may have begun before the last write: it answers nobody who comes later.
  const first = disk.sync();
  await until(async () => (await calls()).length === 3);
  let isLaterAnswered = false;
  const later = Promise.all([disk.sync(), disk.sync()]).then(() => {
    isLaterAnswered = true;
  });
  await first;
  expect(isLaterAnswered).toBe(false);
  await later;
  expect(await calls()).toHaveLength(4);
  await disk.close();
});

test.skipIf(failing === null)("a failed sync fails all waiting calls", async () => {
  const disk = await createDiskSync(folder, (failing as NonNullable<typeof failing>).libc, true);
  const results = await Promise.allSettled([disk.sync(), disk.sync()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await disk.close();
});

test.skipIf(process.platform !== "linux")("the system call succeeds on a real folder", async () => {
  const libc = loadLibc();
  expect(libc?.syncfsLibrary).toBeString();
  const disk = await createDiskSync(folder, libc, true);
  await disk.sync();
  await disk.close();
});

test("a library without the call fails all waiting calls", async () => {
  const libc = loadLibc();
  if (!libc?.syncfsLibrary) return; // nothing to fail where there is no such call
  const disk = await createDiskSync(tmpdir(), { ...libc, syncfsLibrary: "no-such-library.so" }, true);
  const results = await Promise.allSettled([disk.sync(), disk.sync()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await disk.close();
});

test("it makes no call if it is disabled or the system has none", async () => {
  const before = await counting?.calls();
  for (const [libc, enabled] of [
    [null, true],
    [counting?.libc ?? loadLibc(), false],
  ] as const) {
    const disk = await createDiskSync("/no/such/folder", libc, enabled);
    await disk.sync();
    await disk.close();
  }
  expect(await counting?.calls()).toEqual(before);
});
