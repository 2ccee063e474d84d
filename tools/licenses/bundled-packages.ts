import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A package of which something is in the program. */
export interface BundledPackage {
  name: string;
  version: string;
  /** Where it is installed; null for what a package brings inside a file of its own, and that is not installed here. */
  folder: string | null;
  /** Folders of the files that are in the program: some packages keep terms beside them. */
  fileFolders: Set<string>;
}

interface Manifest {
  name: string;
  version: string;
}

interface InstalledPackage extends Manifest {
  folder: string;
}

/** What a file of another package was made from. The version is null where nothing tells it. */
interface InnerPackage {
  name: string;
  version: string | null;
}

export const readManifest = (folder: string): Manifest & Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest & Record<string, unknown>;

/** Groups the files of the program by package, and adds what some of them are themselves bundles of. */
export const bundledPackages = (root: string, files: readonly string[]): BundledPackage[] => {
  const packages = new Map<string, BundledPackage>();
  const add = (name: string, version: string, folder: string | null): BundledPackage => {
    const id = `${name} ${version}`;
    const known = packages.get(id) ?? { name, version, folder, fileFolders: new Set() };
    packages.set(id, known);
    return known;
  };
  for (const file of files) {
    const folder = packageFolder(file);
    if (folder === null) continue;
    const { name, version } = readManifest(folder);
    add(name, version, folder).fileFolders.add(dirname(file));
  }
  const installed = installedPackages(root);
  const addInner = (inner: InnerPackage, holder: string): void => {
    const candidates = installed.filter(({ name }) => name === inner.name);
    const same = candidates.find(({ version }) => version === inner.version) ?? candidates[0];
    const version = inner.version ?? same?.version;
    if (version === undefined) throw new Error(`${holder} holds ${inner.name}, which is not installed.`);
    add(inner.name, version, same?.folder ?? null);
  };
  for (const file of files) for (const inner of packagesInside(file)) addInner(inner, file);
  return [...packages.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
};

/** The folder of the package that a file belongs to; null for the project's own files. */
const packageFolder = (file: string): string | null =>
  /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll("\\", "/"))?.[1] ?? null;

const installedPackages = (root: string): InstalledPackage[] => {
  const lockfile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: object };
  return Object.keys(lockfile.packages)
    .filter((path) => path !== "")
    .map((path) => join(root, path))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => {
      const { name, version } = readManifest(folder);
      return { name, version, folder };
    });
};

/** What a file was bundled from, by its source map and by the comments that were kept. */
const packagesInside = (file: string): InnerPackage[] => {
  const folder = packageFolder(file);
  if (folder === null || !existsSync(`${file}.map`)) return [];
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { sources: (string | null)[] };
  const found = new Map<string, InnerPackage>();
  const add = (inner: InnerPackage | null): void => {
    if (inner !== null) found.set(`${inner.name} ${inner.version}`, inner);
  };
  for (const source of sources) if (source !== null) add(fromPnpm(source));
  for (const [, name = "", version = ""] of readFileSync(file, "utf8").matchAll(styleBanner)) add({ name, version });
  return [...found.values()];
};

/** Style sheets stand in the script as text, without a map. */
const styleBanner = /\/\*! ([a-z][a-z-]*) v(\d+\.\d+\.\d+) \| [A-Z]/g;

/** `…/.pnpm/@vue+shared@3.5.40_peers/node_modules/@vue/shared/…` */
const fromPnpm = (source: string): InnerPackage | null => {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
  if (name === undefined) return null;
  const store = /\/\.pnpm\/@?[^@/]+@([^/_()]+)[^/]*\/node_modules\//.exec(source)?.[1];
  return { name, version: store ?? null };
};
