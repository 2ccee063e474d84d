import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundledFiles } from "../../tools/bundle.ts";
import { bundledPackages } from "../../tools/licenses/bundled-packages.ts";
import { collectLicenses } from "../../tools/licenses/collect.ts";
import { packageLicense } from "../../tools/licenses/package-license.ts";

const root = join(import.meta.dir, "../..");

const put = (path: string, content: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};

const folder = mkdtempSync(join(tmpdir(), "carrel-licenses-"));
put("package-lock.json", '{"packages": {"": {}, "node_modules/inner": {}}}');
put("node_modules/outer/package.json", '{"name": "outer", "version": "1.0.0", "license": "MIT"}');
put("node_modules/outer/dist/index.js", "/*! inner v2.0.0 | MIT License */");
put("node_modules/outer/dist/index.js.map", '{"sources": ["../../.pnpm/@a+b@3.1.0/node_modules/@a/b/index.js"]}');
put("node_modules/outer/wasm/part.wasm", "");
put("node_modules/outer/wasm/LICENSE_PART", "Copyright of the part");
put("node_modules/inner/package.json", '{"name": "inner", "version": "2.0.0", "license": "Apache-2.0"}');
put("node_modules/inner/LICENSE.md", "Copyright of inner, under Apache-2.0");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packages = () =>
  bundledPackages(
    folder,
    ["dist/index.js", "wasm/part.wasm"].map((path) => join(folder, "node_modules/outer", path)),
  );

test("every package of which a bundle holds a file is collected, in its version", async () => {
  const collected = (await collectLicenses(root)).map(({ name, version }) => `${name} ${version}`);
  const files = await bundledFiles(root);
  const bundled = bundledPackages(root, files).map(({ name, version }) => `${name} ${version}`);
  expect(bundled).toContain("elysia 1.4.30");
  expect(bundled.filter((name) => !collected.includes(name))).toEqual([]);
  // Assets are files of the bundle too.
  for (const asset of [".tiktoken", ".bcmap", "openjpeg.wasm", "model.onnx"])
    expect(files.some((file) => file.endsWith(asset))).toBe(true);
  // tools/left-out.ts: of two copies of openai, one goes; the rest goes altogether.
  expect(bundled.filter((name) => /^(?:pdf-lib|@scalar\/themes|cssomnom) /.test(name))).toEqual([]);
  expect(files.filter((file) => /node_modules\/openai\/(?!internal\/).*\.js$/.test(file))).toEqual([]);
});

test("packages inside a package's file are found by its source map and comments", () => {
  expect(packages().map(({ name, version }) => `${name} ${version}`)).toEqual([
    "@a/b 3.1.0",
    "inner 2.0.0",
    "outer 1.0.0",
  ]);
});

test("a package without license text is an error that names it", () => {
  const [missing] = packages();
  expect(() => missing && packageLicense(missing)).toThrow("@a/b 3.1.0 comes without its license text");
});

test("terms beside a bundled file count, and a short Apache notice gets the terms", () => {
  const [, inner, outer] = packages().map((each) => (each.name === "@a/b" ? null : packageLicense(each)));
  expect(outer?.text).toBe("Copyright of the part");
  expect(inner?.text).toMatch(/^Copyright of inner[\s\S]*TERMS AND CONDITIONS FOR USE, REPRODUCTION/);
});
