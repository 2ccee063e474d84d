import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lanceDbAddon } from "../../tools/lancedb-addon.ts";

const nodeModules = join(import.meta.dir, "../../node_modules");

test.skipIf(process.platform !== "linux")("LanceDB's addon is the one for the C library that Bun runs on", () => {
  // Also true on Debian with the package `musl`, whose loader lies in /lib beside glibc's.
  const libraries = readFileSync("/proc/self/maps", "utf8");
  const abi = /\/ld-musl-/.test(libraries) ? "musl" : "gnu";
  expect(lanceDbAddon(nodeModules)).toEndWith(`lancedb.linux-${process.arch}-${abi}.node`);
});

test("an addon that is not installed is named", () => {
  expect(() => lanceDbAddon(join(nodeModules, "nowhere"))).toThrow(/LanceDB's addon for \S+ is not in node_modules/);
});
