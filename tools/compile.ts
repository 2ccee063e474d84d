/**
 * Makes the one-file program: `bun tools/compile.ts [OUTFILE] [--target NAME] [--level 1–19]` (`npm run build` does it with
 * what it needs, `npm run release` for all systems). Fails where a native part (LanceDB's addon, onnxruntime) did not get
 * in, which Bun itself would not notice.
 */
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundlePages } from "../src/web/bundle-pages.ts";
import { definitions, externals, workerEntries } from "./bundle.ts";
import { lanceDbAddon } from "./lancedb-addon.ts";
import { createLeftOut } from "./left-out.ts";
import { collectLicenses } from "./licenses/collect.ts";
import { onnxRuntimeFor } from "./onnx-runtime.ts";
import { type MadePackedFile, packFile } from "./release/pack-file.ts";
import { stripSymbols } from "./release/strip-symbols.ts";
import { targetNamed, thisTarget } from "./release/target.ts";
import { packageFolder } from "./release/target-packages.ts";

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  options: { target: { type: "string" }, level: { type: "string", default: "9" } },
  allowPositionals: true,
});
const root = resolve(import.meta.dir, "..");
const outfile = resolve(positionals[0] ?? join(root, "dist/carrel"));
const target = values.target === undefined ? thisTarget() : targetNamed(values.target);
const isForeign = target.name !== thisTarget().name;
const level = Number(values.level);

const buildFolder = join(root, "dist/build", ...(isForeign ? [target.name] : []));
await mkdir(buildFolder, { recursive: true });
const packing = { level, cacheFolder: join(root, "dist/build/packed") };

const packages = await packageFolder(target.lanceDb, root);
const addon = await packFile(lanceDbAddon(packages, target), { ...packing, transform: stripSymbols });
const onnxRuntime = onnxRuntimeFor(join(root, "node_modules"), target);
const onnxFiles = onnxRuntime === null ? [] : [onnxRuntime.binding, ...onnxRuntime.libraries];
const [binding, ...libraries] = await Promise.all(onnxFiles.map((path) => packFile(path, packing)));

const licenses = join(buildFolder, "licenses.json.zst");
await Bun.write(licenses, await Bun.zstdCompress(JSON.stringify(await collectLicenses(root, target)), { level: 19 }));
const pages = await bundlePages();
const pagesFolder = join(buildFolder, "pages");
await rm(pagesFolder, { recursive: true, force: true });
// Asked for seldom, and kept by browsers: `readCarriedFile` unpacks them.
for (const { name, bytes } of pages)
  await Bun.write(join(pagesFolder, name), await Bun.zstdCompress(bytes, { level: 19 }));
await mkdir(dirname(outfile), { recursive: true });
const entry = join(buildFolder, "main.ts");
const fromEntry = (path: string) => {
  const fromHere = relative(buildFolder, path).replaceAll("\\", "/");
  return JSON.stringify(fromHere.startsWith(".") ? fromHere : `./${fromHere}`);
};
const nativeParts = [addon, ...(binding ? [binding, ...libraries] : [])];
const partAt = (part: MadePackedFile) => `{ file: part${nativeParts.indexOf(part)}, ...${JSON.stringify(part.facts)} }`;
await Bun.write(
  entry,
  `${nativeParts.map(({ path }, at) => `import part${at} from ${fromEntry(path)} with { type: "file" };`).join("\n")}
import licenses from "./licenses.json.zst" with { type: "file" };
${pages.map(({ name }, at) => `import page${at} from "./pages/${name}" with { type: "file" };`).join("\n")}
import { runCommandLine } from ${fromEntry(join(root, "src/commands/line/command-line.ts"))};

await runCommandLine({
  lancedb: ${partAt(addon)},
  onnxRuntime: ${binding ? `{ binding: ${partAt(binding)}, libraries: [${libraries.map(partAt).join(", ")}] }` : "null"},
  licenses,
  pages: [
${pages.map(({ bytes: _, ...facts }, at) => `    { ...${JSON.stringify(facts)}, file: page${at} },`).join("\n")}
  ],
});
`,
);

/** A file that is read whole, seldom, and gets much smaller: `readCarriedFile` unpacks it. */
const isCompressible = /[\\/]o200k_base\.tiktoken$/;

const bunFor = async (): Promise<string> => {
  const executable = target.platform === "win32" ? "bun.exe" : "bun";
  return join(await packageFolder(target.bun, root), target.bun, "bin", executable);
};

const partial = `${outfile}.partial`;
const { success, logs } = await Bun.build({
  // Workers are found in the binary under their path from the root.
  entrypoints: [entry, ...workerEntries.map((path) => join(root, path))],
  root,
  target: "bun",
  format: "esm",
  // Each command loads its own part, already compiled: the start takes less than half the time.
  splitting: true,
  bytecode: true,
  minify: { whitespace: true, syntax: true },
  define: definitions,
  external: externals,
  plugins: [
    createLeftOut(),
    {
      name: "compressed files",
      setup: (build) =>
        void build.onLoad({ filter: isCompressible }, async ({ path }) => ({
          contents: await Bun.zstdCompress(await Bun.file(path).bytes(), { level }),
          loader: "file",
        })),
    },
  ],
  compile: {
    outfile: partial,
    ...(isForeign ? { target: `bun-${target.name}` as Bun.Build.CompileTarget, executablePath: await bunFor() } : {}),
    // A folder the program happens to be started in must not run code or set variables.
    autoloadBunfig: false,
    autoloadDotenv: false,
  },
  throw: false,
});
if (!success) {
  for (const log of logs) console.error(String(log));
  process.exit(1);
}

const made = (await Bun.file(partial).exists()) ? partial : `${partial}.exe`;
const binary = Buffer.from(await Bun.file(made).arrayBuffer());
const isInside = async ({ path }: MadePackedFile): Promise<boolean> => {
  const part = Buffer.from(await Bun.file(path).arrayBuffer());
  const start = binary.indexOf(part.subarray(0, 4096));
  return start !== -1 && binary.subarray(start, start + part.length).equals(part);
};
for (const part of nativeParts) {
  if (await isInside(part)) continue;
  await rm(made, { force: true });
  throw new Error(`A native part is not whole inside the binary: ${part.facts.name}.`);
}
await rename(made, outfile);
const without = binding ? "" : `; without MiniLM: onnxruntime has no library for ${target.name}`;
console.error(`${relative(process.cwd(), outfile)}: ${(binary.length / 1e6).toFixed(0)} MB (${target.name}${without})`);
