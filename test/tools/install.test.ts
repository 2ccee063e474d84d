import { afterAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** `tools/install.mjs` in a folder of its own, with packages that were installed without their scripts. */

const put = (path: string, content: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content, { mode: 0o755 });
};

const version = (path: string): string =>
  Bun.spawnSync([join(folder, path), "--version"])
    .stdout.toString()
    .trim();

const folder = mkdtempSync(join(tmpdir(), "carrel-install-"));
put("package-lock.json", '{"packages": {"": {}}}');
put("node_modules/.package-lock.json", '{"packages": {}}');
put("tools/run.mjs", 'import { ensureInstalled } from "./install.mjs";\nensureInstalled();\n');
copyFileSync(join(import.meta.dir, "../../tools/install.mjs"), join(folder, "tools/install.mjs"));
put("node_modules/bun/bin/bun.exe", "#!/bin/sh\nexit 1\n");
put("node_modules/bun/bin/bunx.exe", "#!/bin/sh\nexit 1\n");
mkdirSync(join(folder, "node_modules/@oven/bun-here/bin"), { recursive: true });
const program = process.platform === "win32" ? "bun.exe" : "bun";
symlinkSync(process.execPath, join(folder, "node_modules/@oven/bun-here/bin", program));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the pinned Bun is put where `npx bun` and the package's scripts look for it", () => {
  expect(version("node_modules/bun/bin/bun.exe")).toBe("");
  const run = Bun.spawnSync([process.execPath, join(folder, "tools/run.mjs")]);
  expect(run.stderr.toString()).toBe("");
  expect(run.exitCode).toBe(0);
  expect(version("node_modules/bun/bin/bun.exe")).toBe(Bun.version);
  expect(version("node_modules/bun/bin/bunx.exe")).toBe(Bun.version);
});
