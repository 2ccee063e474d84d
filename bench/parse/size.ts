import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Size {
  /** Packages with all that they depend on. */
  packages: string[];
  installedBytes: number;
  bundledBytes: number;
}

/** What packages in a folder take on the disk, and in a program. */
export const sizeOf = async (names: readonly string[], folder: string): Promise<Size> => {
  const folders = new Set<string>();
  for (const name of names) addPackage(name, folder, folders);
  const installedBytes = [...folders].reduce((sum, path) => sum + bytesIn(path), 0);
  return { packages: [...folders], installedBytes, bundledBytes: await bundled(names, folder) };
};

/** A package's folder, and those of its dependencies, each looked for as Node.js does. */
const addPackage = (name: string, from: string, found: Set<string>): void => {
  let at = from;
  while (!existsSync(join(at, "node_modules", name)) && at !== join(at, "..")) at = join(at, "..");
  const path = join(at, "node_modules", name);
  if (found.has(path) || !existsSync(path)) return;
  found.add(path);
  const { dependencies = {} } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  for (const dependency of Object.keys(dependencies)) addPackage(dependency, path, found);
};

const bytesIn = (path: string): number =>
  readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + bytesIn(inner);
    return sum + (entry.isFile() ? statSync(inner).size : 0);
  }, 0);

const bundled = async (names: readonly string[], folder: string): Promise<number> => {
  let sum = 0;
  for (const name of names) {
    const built = await Bun.build({
      entrypoints: [Bun.resolveSync(name, folder)],
      target: "bun",
      minify: true,
      throw: false,
    });
    for (const output of built.outputs) sum += output.size;
  }
  return sum;
};
