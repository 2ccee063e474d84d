import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { memoryLimit } from "../../src/system/memory-limit.ts";

const folder = mkdtempSync(join(tmpdir(), "carrel-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
/** A mount of control groups with these files, and the process in one of them. */
const groups = (own: string, files: Record<string, string>) => {
  const root = join(folder, String(++made));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "self"), own);
  return { root, groups: join(root, "self") };
};

test("the smallest limit of the groups around the process counts, or the machine's memory", () => {
  const files = {
    "memory.max": "max\n",
    "system.slice/memory.max": "3000000000\n",
    "system.slice/carrel.service/memory.max": "1000000000\n",
    "other.slice/memory.max": "5\n",
  };
  expect(memoryLimit(groups("0::/system.slice/carrel.service\n", files), 8e9)).toBe(1e9);
  expect(memoryLimit(groups("0::/system.slice/another.service\n", files), 8e9)).toBe(3e9);
  expect(memoryLimit(groups("0::/\n", files), 8e9)).toBe(8e9);
  expect(memoryLimit(groups("0::/\n", { "memory.max": "2000000000" }), 8e9)).toBe(2e9);
  expect(memoryLimit(groups("0::/\n", { "memory.max": "20000000000" }), 8e9)).toBe(8e9);
});

test("control groups of version 1, and none at all", () => {
  const first = { "memory/memory.limit_in_bytes": "1500000000\n" };
  expect(memoryLimit(groups("4:memory:/docker/abc\n", first), 8e9)).toBe(1.5e9);
  // A service of systemd, or a container that sees the machine's groups.
  const nested = {
    "memory/memory.limit_in_bytes": "9223372036854771712\n",
    "memory/system.slice/memory.limit_in_bytes": "2500000000\n",
    "memory/system.slice/carrel.service/memory.limit_in_bytes": "700000000\n",
    "memory/other.slice/memory.limit_in_bytes": "5\n",
  };
  const others = "9:name=systemd:/system.slice/x\n5:cpu,cpuacct:/other.slice\n";
  expect(memoryLimit(groups(`${others}4:memory:/system.slice/carrel.service\n0::/\n`, nested), 8e9)).toBe(7e8);
  expect(memoryLimit(groups(`${others}4:hugetlb,memory:/system.slice/x\n0::/\n`, nested), 8e9)).toBe(2.5e9);
  expect(memoryLimit(groups(`${others}4:memory:/\n`, nested), 8e9)).toBe(8e9);
  expect(memoryLimit({ root: join(folder, "nowhere"), groups: join(folder, "nobody") }, 8e9)).toBe(8e9);
  expect(memoryLimit()).toBeLessThanOrEqual(totalmem());
});
