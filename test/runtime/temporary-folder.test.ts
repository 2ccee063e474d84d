import { afterEach, expect, test } from "bun:test";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureTemporaryFolder } from "../../src/runtime/runtime-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const before = process.env.TMPDIR;
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

test("TMPDIR where it can be written to, else /tmp, before a folder is made for it", async () => {
  const folder = await temporaryFolder("temporary");
  const own = join(folder, "own");
  expect(await ensureTemporaryFolder({ TMPDIR: folder }, own)).toBe(folder);
  expect(process.env.TMPDIR).toBe(before);
  expect(await ensureTemporaryFolder({ TMPDIR: join(folder, "missing") }, own)).toBe("/tmp");
  expect(process.env.TMPDIR).toBe("/tmp");
  await expect(stat(own)).rejects.toThrow();
  await rm(folder, { recursive: true });
});
