import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readdir, readFile, stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { lacksAvx2, prepareNativeAddon, unpackAddon } from "../../src/runtime/native-addon.ts";
import { isUnpacked, type PackedFile } from "../../src/system/packed-file.ts";
import { packFile } from "../../tools/release/pack-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = await temporaryFolder("addon");

const content = randomBytes(5_000_001);
const source = join(folder, "embedded.node");
await Bun.write(source, content);
const { path: file, facts } = await packFile(source, { level: 1, cacheFolder: join(folder, "packed") });
const addon: PackedFile = { file, ...facts };
const names = async (runtime: string) => (await readdir(runtime)).sort();

test("is unpacked whole, not to be written to, and what earlier versions left goes", async () => {
  const runtime = join(folder, "runtime");
  await Bun.write(join(runtime, "lancedb-0123456789abcdef.node"), "old");
  await Bun.write(join(runtime, "other"), "stays");
  const path = join(runtime, `lancedb-${addon.sha256.slice(0, 16)}.node`);
  await unpackAddon(addon, path);
  expect((await readFile(path)).equals(content)).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o500);
  expect(await names(runtime)).toEqual([path.split("/").at(-1) ?? "", "other"]);
});

test("what LanceDB reads from the environment is there before its addon is loaded", async () => {
  const runtime = join(folder, "settings");
  await unpackAddon(addon, join(runtime, `lancedb-${addon.sha256.slice(0, 16)}.node`));
  const names = ["LANCEDB_LOG", "NAPI_RS_NATIVE_LIBRARY_PATH"] as const;
  const before = names.map((name) => process.env[name]);
  for (const name of names) delete process.env[name];
  try {
    await expect(prepareNativeAddon(addon, runtime)).rejects.toThrow("cannot be loaded");
    expect(process.env.LANCEDB_LOG).toBe("error");
  } finally {
    for (const [at, name] of names.entries())
      if (before[at] === undefined) delete process.env[name];
      else process.env[name] = before[at];
  }
});

test("processes that start at once unpack it side by side; what a killed one left goes later", async () => {
  const runtime = join(folder, "at-once");
  const path = join(runtime, "lancedb-x.node");
  const abandoned = join(runtime, "lancedb-x.node.0.partial");
  const atWork = join(runtime, "lancedb-x.node.1.partial");
  for (const one of [abandoned, atWork]) await Bun.write(one, "half");
  await utimes(abandoned, 0, 0);
  await Promise.all([unpackAddon(addon, path), unpackAddon(addon, path), unpackAddon(addon, path)]);
  expect((await readFile(path)).equals(content)).toBe(true);
  expect(await names(runtime)).toEqual(["lancedb-x.node", "lancedb-x.node.1.partial"]);
});

test("one that is damaged inside the program is refused", async () => {
  const damaged = Buffer.from(await readFile(file));
  damaged.fill(0, 0, 100);
  const other = join(folder, "damaged.zst");
  await Bun.write(other, damaged);
  const runtime = join(folder, "damaged");
  await expect(unpackAddon({ ...addon, file: other }, join(runtime, "lancedb-x.node"))).rejects.toThrow(
    "embedded.node inside the program is damaged",
  );
  expect(await names(runtime)).toEqual([]);
});

test("a broken copy never takes the place", async () => {
  const runtime = join(folder, "broken");
  const path = join(runtime, "lancedb-x.node");
  await expect(unpackAddon({ ...addon, sha256: "1".repeat(64) }, path)).rejects.toThrow("is damaged: check the disk");
  await unpackAddon({ ...addon, sha256: "1".repeat(64) }, path).catch(() => {});
  expect(await names(runtime)).toEqual([]);
});

test("where it cannot be written, the message says what to set", async () => {
  await expect(unpackAddon(addon, join(source, "runtime", "lancedb-x.node"))).rejects.toThrow("CARREL_DATA_DIR");
});

test("a copy that a data directory came with is the program's own, byte for byte, or is not loaded", async () => {
  const runtime = join(folder, "foreign");
  const path = join(runtime, `lancedb-${addon.sha256.slice(0, 16)}.node`);
  const changed = Buffer.from(content);
  changed[4_000_000] = (changed[4_000_000] ?? 0) ^ 1;
  await Bun.write(path, changed);
  expect(await isUnpacked(addon, path)).toBe(false);
  await Bun.write(path, content);
  expect(await isUnpacked(addon, path)).toBe(true);
  // A link: what it leads to can be changed after it was looked at.
  const link = join(runtime, "link.node");
  await symlink(path, link);
  expect(await isUnpacked(addon, link)).toBe(false);
});

/** Once: it reads them no second time. */
test("what LanceDB reads when it is loaded is set before that", async () => {
  const runtime = join(folder, "loading");
  await unpackAddon(addon, join(runtime, `lancedb-${addon.sha256.slice(0, 16)}.node`));
  const names = ["TOKIO_WORKER_THREADS", "LANCE_CPU_THREADS", "LANCE_FTS_NUM_SHARDS", "LANCEDB_LOG"];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  try {
    await expect(prepareNativeAddon(addon, runtime)).rejects.toThrow("cannot be loaded");
    expect(names.map((name) => process.env[name])).toEqual(["4", "2", "1", "error"]);
  } finally {
    delete process.env.NAPI_RS_NATIVE_LIBRARY_PATH;
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});

test("a processor without AVX2 is told by its flags", () => {
  const information = (flags: string) =>
    `processor\t: 0\nmodel name\t: QEMU Virtual CPU\nflags\t\t: ${flags}\nbugs\t\t: none\n`;
  expect(lacksAvx2(information("fpu sse4_2 avx avx512vnni"))).toBe(true);
  expect(lacksAvx2(information("fpu sse4_2 avx avx2 bmi2"))).toBe(false);
  expect(lacksAvx2(information("avx2"))).toBe(false);
  expect(lacksAvx2("")).toBe(false);
});
