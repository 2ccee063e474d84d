// Adds to package-lock.json the packages for other systems that npm left out, and checksums that are missing. A registry
// that does not carry such a package makes npm write a lockfile without it, which `npm ci` then refuses; its checksum is
// added when the script runs against a registry that has it. `--check` only says which packages are missing.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const lockfile = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(lockfile, "utf8"));

/** The entry that `name` means within the package at `from`, as Node looks for it. */
const find = (from, name) => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const candidate = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (lock.packages[candidate] !== undefined) return candidate;
    if (folder === "") return null;
    if (!folder.includes("/node_modules/")) folder = "";
  }
};

const systems = ["android", "darwin", "freebsd", "linux", "openbsd", "win32"];
const processors = {
  arm: "arm",
  arm64: "arm64",
  aarch64: "arm64",
  ia32: "ia32",
  ppc64: "ppc64",
  riscv64: "riscv64",
  s390x: "s390x",
  x64: "x64",
};

/** What the package's name says of the system it is for; null where it says nothing. */
const systemOf = (name) => {
  const words = name.slice(name.indexOf("/") + 1).split("-");
  const os = systems.find((system) => words.includes(system));
  const cpu = words.map((word) => processors[word]).find((processor) => processor !== undefined);
  if (os === undefined || cpu === undefined) return null;
  const libc = words.some((word) => word.startsWith("musl"))
    ? "musl"
    : words.some((word) => word.startsWith("gnu"))
      ? "glibc"
      : null;
  return { cpu: [cpu], ...(libc === null ? {} : { libc: [libc] }), os: [os] };
};

const added = {};
for (const [from, { optionalDependencies = {}, dev, devOptional }] of Object.entries(lock.packages))
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const system = systemOf(name);
    if (from === "" || system === null || !/^\d+\.\d+\.\d+$/.test(version) || find(from, name) !== null) continue;
    const { cpu, ...rest } = system;
    added[`node_modules/${name}`] = {
      version,
      cpu,
      ...(dev || devOptional ? { dev: true } : {}),
      optional: true,
      ...rest,
    };
  }

const names = Object.keys(added);

const complete = () => {
  const all = { ...lock.packages, ...added };
  const sorted = Object.keys(all).sort((a, b) => a.localeCompare(b, "en"));
  lock.packages = Object.fromEntries(sorted.map((name) => [name, all[name]]));
  for (const path of sorted.filter(lacksChecksum)) lock.packages[path] = withChecksum(path, lock.packages[path]);
  writeFileSync(lockfile, `${JSON.stringify(lock, null, 2)}\n`);
  for (const name of names) console.log(`added ${name}`);
  for (const path of sorted.filter(lacksChecksum))
    console.error(`The registry has no checksum of ${packageName(path)} ${lock.packages[path].version}.`);
};

const lacksChecksum = (path) =>
  path !== "" && lock.packages[path].link !== true && lock.packages[path].integrity === undefined;

const packageName = (path) =>
  lock.packages[path].name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** The entry with what the registry says of its tarball; unchanged where it does not have that version. */
const withChecksum = (path, { version, ...rest }) => {
  const { stdout } = spawnSync("npm", ["view", `${packageName(path)}@${version}`, "dist.integrity"], {
    encoding: "utf8",
    timeout: 60_000,
    shell: process.platform === "win32",
  });
  const integrity = /^sha512-[A-Za-z0-9+/]{86}==$/.exec(stdout?.trim() ?? "")?.[0];
  return { version, ...(integrity === undefined ? {} : { integrity }), ...rest };
};

if (process.argv.includes("--check")) {
  if (names.length > 0)
    console.error(`package-lock.json lacks ${names.join(", ")}: run \`node tools/complete-lockfile.mjs\`.`);
  process.exitCode = names.length === 0 ? 0 : 1;
} else complete();
