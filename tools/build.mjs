// `npm run build`: makes dist/carrel, installing what it needs first. With `--if-changed` only where the sources are others
// than it was made of; with `--all` (`npm run release`) the program for all systems, into dist/release.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bunPath, ensureInstalled, root } from "./install.mjs";

export const binary = join(root, "dist", process.platform === "win32" ? "carrel.exe" : "carrel");
const stampFile = join(root, "dist/build/sources.sha256");

/** Paths from the root of everything the binary is made of. */
export const sourceFiles = () => {
  const files = ["LICENSE", "README.md", "package.json", "package-lock.json", "tsconfig.json"];
  for (const file of ["bundle", "compile", "lancedb-addon", "left-out", "onnx-runtime"]) files.push(`tools/${file}.ts`);
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) files.push(path);
    }
  };
  for (const folder of [
    "clients/typescript/src",
    "config",
    "docs",
    "providers",
    "src",
    "tools/left-out",
    "tools/licenses",
    "tools/release",
  ])
    walk(folder);
  return files;
};

/** One hash over all of them. */
export const sourcesHash = () => {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const path of sourceFiles()) hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest("hex");
};

/** @returns exit status */
export const build = () => {
  console.error("Building dist/carrel …");
  const { status } = spawnSync(bunPath(), ["tools/compile.ts", binary], { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) return status ?? 1;
  mkdirSync(join(root, "dist/build"), { recursive: true });
  writeFileSync(stampFile, sourcesHash());
  return 0;
};

/** @returns exit status */
const release = (options) =>
  spawnSync(bunPath(), ["tools/release/release.ts", ...options], { cwd: root, stdio: ["ignore", 2, 2] }).status ?? 1;

/** Builds where the sources are not those that dist/carrel was made of. @returns exit status */
export const buildIfChanged = () => {
  const isCurrent = existsSync(binary) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === sourcesHash();
  return isCurrent ? 0 : build();
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled();
  const options = process.argv.slice(2);
  const [first] = options;
  process.exitCode =
    first === "--all" ? release(options.slice(1)) : first === "--if-changed" ? buildIfChanged() : build();
}
