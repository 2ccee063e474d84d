import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

interface Locked {
  version: string;
  integrity?: string;
}

/**
 * A folder that holds a package under its name, as node_modules does: that itself where it is installed, else one into
 * which the package is fetched with npm, in the version and with the checksum that package-lock.json pins.
 * @throws Error that says what is missing and what to do
 */
export const packageFolder = async (name: string, root: string): Promise<string> => {
  const installed = join(root, "node_modules");
  if (existsSync(join(installed, name, "package.json"))) return installed;
  const locked = lockedPackage(name, JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")));
  const home = join(root, "dist/build/packages", locked.version);
  if (!existsSync(join(home, name, "package.json"))) await fetchPackage(name, locked, home);
  return home;
};

const lockedPackage = (name: string, lockfile: { packages: Record<string, Locked> }): Locked => {
  const locked = lockfile.packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json does not name ${name}.`);
  return locked;
};

const fetchPackage = async (name: string, { version, integrity }: Locked, home: string): Promise<void> => {
  await mkdir(home, { recursive: true });
  const folder = await mkdtemp(join(home, ".fetch-"));
  try {
    const archive = pack(`${name}@${version}`, folder);
    if (integrity === undefined)
      throw new Error(
        `package-lock.json has no checksum of ${name} ${version}, so it cannot be trusted: run \`node tools/complete-lockfile.mjs\` where the registry carries it.`,
      );
    const digest = createHash("sha512")
      .update(await readFile(archive))
      .digest("base64");
    if (`sha512-${digest}` !== integrity)
      throw new Error(`What the registry sent as ${name} ${version} is not what package-lock.json pins.`);
    const { status, output } = run(["tar", "-xzf", archive, "-C", folder]);
    if (status !== 0) throw new Error(`${name} cannot be unpacked: ${output}`);
    await mkdir(join(home, name, ".."), { recursive: true });
    await rm(join(home, name), { recursive: true, force: true });
    await rename(join(folder, "package"), join(home, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** @returns path of the archive. @throws Error with what npm says */
const pack = (specifier: string, folder: string): string => {
  const { status, output } = run(["npm", "pack", specifier, "--pack-destination", folder, "--loglevel=error"]);
  const archive = output.trim().split("\n").at(-1) ?? "";
  if (status === 0 && existsSync(join(folder, archive))) return join(folder, archive);
  const said = /^npm error (?:code )?(?!A complete log)(.+)$/m.exec(output)?.[1] ?? output.trim();
  const why = /ETARGET|E404|No matching version/.test(output) ? "the registry does not carry it" : said;
  throw new Error(`${specifier} cannot be fetched: ${why}.`);
};

const run = (command: readonly string[]): { status: number | null; output: string } => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { stdio: ["ignore", "pipe", "pipe"] });
  return { status: exitCode, output: exitCode === 0 ? stdout.toString() : `${stderr}${stdout}` };
};
