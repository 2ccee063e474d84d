import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import lockfile from "../../package-lock.json" with { type: "json" };

test("package-lock.json holds the packages of every system: else run `node tools/complete-lockfile.mjs`", () => {
  const script = fileURLToPath(new URL("../../tools/complete-lockfile.mjs", import.meta.url));
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, "--check"]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
});

test("package-lock.json names no registry", () => {
  expect(JSON.stringify(lockfile)).not.toMatch(/"resolved"|https?:\/\/registry/);
});
