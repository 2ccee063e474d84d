import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { codeRegions, createCodeRelease } from "../../src/system/program-code.ts";

const mapping = (
  range: string,
  rights: string,
  path: string,
  residentKb: number,
  changedKb: number,
  swappedKb = 0,
): string =>
  [
    `${range} ${rights} 00000000 08:01 12345                  ${path}`,
    "Size:                512 kB",
    `Rss:                 ${residentKb} kB`,
    `Anonymous:           ${changedKb} kB`,
    `Swap:                ${swappedKb} kB`,
    "SwapPss:               0 kB",
    "VmFlags: rd ex mr mw me",
  ].join("\n");

test("only code that nobody can have changed is given up", () => {
  const smaps = [
    mapping("55e000000000-55e000080000", "r-xp", process.execPath, 300, 0),
    mapping("55e000080000-55e0000c0000", "rw-p", process.execPath, 300, 0),
    mapping("7f0000000000-7f0000080000", "r-xp", "/data/runtime/lancedb-0123.node", 200, 0),
    mapping("7f0000080000-7f0000100000", "r--p", "/data/runtime/lancedb-0123.node", 200, 8),
    mapping("7f0000100000-7f0000180000", "r--p", "/usr/lib/libc.so.6", 40, 0),
    mapping("7f0000180000-7f0000200000", "r-xp", "/usr/lib/libm.so.6", 0, 0),
    mapping("7f0000200000-7f0000280000", "r-xs", "/data/shared.so", 40, 0),
    mapping("7f0000280000-7f0000300000", "r--p", "/data/mapped by a library.bin", 40, 0),
    mapping("7f0000300000-7f0000380000", "r-xp", "", 40, 0),
    mapping("55e0000c0000-55e000100000", "r--p", process.execPath, 20, 0, 12),
    mapping("7f0000380000-7f0000400000", "r-xp", "[vdso]", 40, 0),
  ].join("\n");
  expect(codeRegions(smaps)).toEqual([
    { address: 0x55e000000000, bytes: 0x80000 },
    { address: 0x7f0000000000, bytes: 0x80000 },
    { address: 0x7f0000100000, bytes: 0x80000 },
  ]);
});

test.skipIf(process.platform !== "linux")("less is resident, and everything goes on", () => {
  const residentKb = (): number =>
    Number(/^RssFile:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0);
  const before = residentKb();
  createCodeRelease()();
  expect(residentKb()).toBeLessThan(before);
  expect(JSON.parse(JSON.stringify({ still: ["works"] }))).toEqual({ still: ["works"] });
});
