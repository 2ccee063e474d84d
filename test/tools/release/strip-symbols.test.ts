import { expect, test } from "bun:test";
import { join } from "node:path";
import { lanceDbAddon } from "../../../tools/lancedb-addon.ts";
import { stripSymbols } from "../../../tools/release/strip-symbols.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

test.skipIf(process.platform !== "linux")("LanceDB's addon is smaller, and loads", async () => {
  const folder = await temporaryFolder("strip");
  const original = await Bun.file(lanceDbAddon(join(import.meta.dir, "../../../node_modules"))).bytes();
  const stripped = stripSymbols(original);
  expect(stripped.length).toBeLessThan(0.9 * original.length);
  // What is mapped into a process stays as it was; a second time, nothing is left to remove.
  expect(Buffer.compare(stripped.subarray(64), original.subarray(64, stripped.length))).toBe(0);
  expect(stripSymbols(stripped)).toBe(stripped);
  const path = join(folder, "addon.node");
  await Bun.write(path, stripped);
  const load = `process.stdout.write(typeof require(${JSON.stringify(path)}).Connection)`;
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "-e", load]);
  expect([exitCode, stdout.toString(), stderr.toString()]).toEqual([0, "function", ""]);
});

test("other files stay as they are", () => {
  for (const text of ["", "MZ", "x".repeat(200), "\x7fELF\x01\x01".padEnd(200)]) {
    const bytes = new TextEncoder().encode(text);
    expect(stripSymbols(bytes)).toBe(bytes);
  }
});
