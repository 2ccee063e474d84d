/**
 * Makes the one-file program: `bun tools/compile.ts [OUTFILE]` (`npm run build` does it with what it needs). Fails
 * where a native part (LanceDB's addon, onnxruntime) did not get in, which Bun itself would not notice.
 */
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { quickHash } from "../src/program/native-addon.ts";
import { bundlePages } from "../src/web/bundle-pages.ts";
import { definitions, workerEntries } from "./bundle.ts";
import { lanceDbAddon } from "./lancedb-addon.ts";
import { collectLicenses } from "./licenses/collect.ts";
import { onnxRuntimeOfThisSystem } from "./onnx-runtime.ts";

const root = resolve(import.meta.dir, "..");
const outfile = resolve(Bun.argv[2] ?? join(root, "dist/carrel"));

const addonPath = lanceDbAddon(join(root, "node_modules"));
const addon = new Uint8Array(await Bun.file(addonPath).arrayBuffer());
const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const facts = { bytes: addon.length, sha256: sha256(addon), quickHash: quickHash(addonPath) };

const onnxRuntime = onnxRuntimeOfThisSystem(join(root, "node_modules"));
const embeddedFile = async (path: string, variable: string) => {
  const content = new Uint8Array(await Bun.file(path).arrayBuffer());
  return {
    content,
    source: `{ name: ${JSON.stringify(basename(path))}, file: ${variable}, sha256: "${sha256(content)}" }`,
  };
};
const binding = onnxRuntime && (await embeddedFile(onnxRuntime.binding, "onnxBinding"));
const library = onnxRuntime && (await embeddedFile(onnxRuntime.library, "onnxLibrary"));

const buildFolder = join(root, "dist/build");
await mkdir(buildFolder, { recursive: true });
const licenses = join(buildFolder, "licenses.json.zst");
await Bun.write(licenses, await Bun.zstdCompress(JSON.stringify(await collectLicenses(root)), { level: 19 }));
const pages = await bundlePages();
const pagesFolder = join(buildFolder, "pages");
await rm(pagesFolder, { recursive: true, force: true });
for (const { name, bytes } of pages) await Bun.write(join(pagesFolder, name), bytes);
await mkdir(dirname(outfile), { recursive: true });
const entry = join(buildFolder, "main.ts");
const fromEntry = (path: string) => JSON.stringify(relative(buildFolder, path).replaceAll("\\", "/"));
await Bun.write(
  entry,
  `import file from ${fromEntry(addonPath)} with { type: "file" };
${
  onnxRuntime
    ? `import onnxBinding from ${fromEntry(onnxRuntime.binding)} with { type: "file" };
import onnxLibrary from ${fromEntry(onnxRuntime.library)} with { type: "file" };`
    : ""
}
import licenses from "./licenses.json.zst" with { type: "file" };
${pages.map(({ name }, at) => `import page${at} from "./pages/${name}" with { type: "file" };`).join("\n")}
import { runCommandLine } from ${fromEntry(join(root, "src/commands/command-line.ts"))};

await runCommandLine({
  lancedb: { file, bytes: ${facts.bytes}, sha256: "${facts.sha256}", quickHash: "${facts.quickHash}" },
  onnxRuntime: ${binding && library ? `{ binding: ${binding.source}, library: ${library.source} }` : "null"},
  licenses,
  pages: [
${pages.map(({ name, mimeType }, at) => `    { name: "${name}", mimeType: "${mimeType}", file: page${at} },`).join("\n")}
  ],
});
`,
);

const partial = `${outfile}.partial`;
const { exitCode } = Bun.spawnSync(
  [
    process.execPath,
    "build",
    "--compile",
    // A folder the program happens to be started in must not run code or set variables.
    "--no-compile-autoload-bunfig",
    "--no-compile-autoload-dotenv",
    // Each command loads its own part, already compiled: the start takes less than half the time.
    "--splitting",
    "--bytecode",
    "--format=esm",
    "--minify-whitespace",
    "--minify-syntax",
    ...Object.entries(definitions).flatMap(([name, value]) => ["--define", `${name}=${value}`]),
    // Workers are found in the binary under their path from here.
    "--root",
    root,
    entry,
    ...workerEntries.map((path) => join(root, path)),
    "--outfile",
    partial,
  ],
  { cwd: buildFolder, stdio: ["ignore", 2, 2] },
);
if (exitCode !== 0) process.exit(exitCode);

const binary = Buffer.from(await Bun.file(partial).arrayBuffer());
for (const part of [addon, binding?.content, library?.content]) {
  if (!part) continue;
  const start = binary.indexOf(part.subarray(0, 4096));
  if (start !== -1 && sha256(binary.subarray(start, start + part.length)) === sha256(part)) continue;
  await rm(partial, { force: true });
  throw new Error("A native part is not whole inside the binary.");
}
await rename(partial, outfile);
console.error(`${relative(process.cwd(), outfile)}: ${(binary.length / 1e6).toFixed(0)} MB`);
