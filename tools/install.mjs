// Puts what package-lock.json pins into node_modules, with Node (or Bun) and nothing else.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

const lockfileHash = () =>
  createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");

/** Written after an install by Bun, which leaves no record of its own that could be compared. */
const stampFile = join(root, "node_modules/.carrel-installed");

/** True where node_modules holds every package of the lockfile in its pinned version; those of other systems may lack. */
const isInstalled = () => {
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === lockfileHash()) return true;
  try {
    const wanted = readJson(join(root, "package-lock.json")).packages;
    const present = readJson(join(root, "node_modules/.package-lock.json")).packages;
    return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
      if (path === "") return true;
      const found = present[path];
      if (found === undefined) return optional === true || devOptional === true;
      return found.version === version && (integrity === undefined || found.integrity === integrity);
    });
  } catch {
    return false;
  }
};

/**
 * Installs where node_modules does not match the lockfile, from the cache where it can: with npm or, where the script
 * runs in Bun and there is no npm, with that. Install scripts are not run: the one that is needed, Bun's own, is made
 * up for here.
 */
export const ensureInstalled = () => {
  if (!isInstalled()) install();
  placeBun();
};

const install = () => {
  if (Number(process.versions.node.split(".")[0]) < 20)
    stop(`Node 20 or newer is needed; this is ${process.versions.node}.`);
  console.error("Installing packages …");
  const byNpm = runInstaller([
    ...npmCommand(),
    "ci",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--loglevel=error",
  ]);
  if (byNpm === 0) return;
  if (byNpm !== null) stop("npm ci failed; what it says stands above.");
  if (process.versions.bun === undefined) stop("There is no npm; it comes with Node.");
  if (runInstaller([process.execPath, "install", "--no-save", "--prefer-offline", "--ignore-scripts"]) !== 0)
    stop("bun install failed; what it says stands above.");
  writeFileSync(stampFile, lockfileHash());
};

/** How npm is started: as it started us, where it did. */
const npmCommand = () =>
  process.env.npm_execpath?.endsWith("npm-cli.js") ? [process.execPath, process.env.npm_execpath] : ["npm"];

/** @returns exit status; null where the program is not there */
const runInstaller = ([program, ...options]) => {
  // Standard output is the program's own.
  const child = spawnSync(program, options, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  return child.error?.code === "ENOENT" ? null : (child.status ?? 1);
};

/** Where the scripts did not run, a text of a few hundred bytes stands in the place of the program. */
const isProgram = (path) => existsSync(path) && statSync(path).size > 10_000_000;

/** Puts the pinned Bun where `npx bun` and the scripts of package.json find it, as its install script would. */
const placeBun = () => {
  const folder = join(root, "node_modules/bun/bin");
  for (const name of ["bun.exe", "bunx.exe"]) {
    const place = join(folder, name);
    if (!existsSync(folder) || isProgram(place)) continue;
    const bun = bunPath();
    try {
      rmSync(place, { force: true });
      putProgram(bun, place);
    } catch (error) {
      console.error(`\`npx bun\` will not work here: ${error.message}`);
    }
  }
};

/** A second name for the program costs no space; not every file system has them. */
const putProgram = (program, place) => {
  try {
    linkSync(program, place);
  } catch {
    copyFileSync(program, place);
  }
};

/** Path of the pinned Bun. npm leaves it in the platform's package; only an install script would have moved it. */
export const bunPath = () => {
  const executable = process.platform === "win32" ? "bun.exe" : "bun";
  const platforms = join(root, "node_modules/@oven");
  const candidates = [
    ...(existsSync(platforms) ? readdirSync(platforms).sort() : []).map((name) =>
      join(platforms, name, "bin", executable),
    ),
    join(root, "node_modules/bun/bin/bun.exe"),
    ...(process.versions.bun === undefined ? [] : [process.execPath]),
  ];
  const found = candidates.filter(isProgram);
  const working = found.find((path) => spawnSync(path, ["--version"]).status === 0);
  if (working !== undefined) return working;
  return stop(
    found.length > 0
      ? "Bun does not start on this machine: its processor may lack AVX2. On a virtual machine, set the CPU type to `host`."
      : `There is no Bun for ${process.platform} ${process.arch} in node_modules: install again with \`npm ci\`.`,
  );
};

/** Ends the script with a message. @returns never */
export const stop = (message) => {
  console.error(message);
  process.exit(1);
};
