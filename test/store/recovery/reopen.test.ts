import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

test("a store is opened without output of LanceDB on stderr", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-reopen-"));
  try {
    for (const _ of ["first", "second"]) {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, "reopen-child.ts"), folder], {
        stdout: "ignore",
        stderr: "pipe",
      });
      const [errors, exit] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      expect([exit, errors]).toEqual([0, ""]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
