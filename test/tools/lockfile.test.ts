import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import lockfile from "../../package-lock.json" with { type: "json" };

interface Entry {
  name?: string;
  version?: string;
  integrity?: string;
}

const entries = Object.entries(lockfile.packages as Record<string, Entry>).filter(([path]) => path !== "");
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** Packages for other systems that the registry did not serve in these versions: `node tools/complete-lockfile.mjs` adds their checksums where it can. */
const withoutChecksum = [
  "darwin-arm64",
  "linux-arm64-gnu",
  "linux-arm64-musl",
  "win32-arm64-msvc",
  "win32-x64-msvc",
].map((system) => `@lancedb/lancedb-${system} 0.39.0`);

test("package-lock.json holds the packages of every system: else run `node tools/complete-lockfile.mjs`", () => {
  const script = fileURLToPath(new URL("../../tools/complete-lockfile.mjs", import.meta.url));
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, "--check"]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
});

test("package-lock.json names no registry", () => {
  expect(JSON.stringify(lockfile)).not.toMatch(/"resolved"|https?:\/\/registry/);
});

test("every package has a checksum, but those that the registry did not serve", () => {
  const lacking = entries.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""));
  const unexpected = lacking
    .map(([path, { version }]) => `${nameOf(path)} ${version}`)
    .filter((name) => !withoutChecksum.includes(name));
  expect(unexpected).toEqual([]);
});

test("what LanceDB and pdf.js would install for functions that Carrel does not use stays out", () => {
  const unused = ["@huggingface/transformers", "onnxruntime-web", "sharp", "protobufjs", "node-fetch"];
  const names = entries.map(([path, { name }]) => name ?? nameOf(path));
  expect(names.filter((name) => unused.includes(name) || /^@(img|napi-rs)\//.test(name))).toEqual([]);
  for (const single of ["onnxruntime-node", "openai"])
    expect(names.filter((name) => name === single)).toEqual([single]);
});
