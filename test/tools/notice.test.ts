import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";

test("NOTICE is current: else run `node tools/notice.mjs`", () => {
  const script = fileURLToPath(new URL("../../tools/notice.mjs", import.meta.url));
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, "--check"]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
});
