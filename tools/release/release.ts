/**
 * Makes the program for every system of a release: `npm run release [-- --target NAME]`. Into `dist/release` go the
 * binaries, a bill of materials (CycloneDX) of each, and SHA256SUMS. Fails, after making the others, where a system's
 * packages cannot be had.
 */
import { mkdir, readdir, unlink } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../src/domain/version.ts";
import { collectLicenses } from "../licenses/collect.ts";
import { type Sbom, sbomOf } from "./sbom.ts";
import { releaseTargets, type Target, targetNamed, unsupportedTargets } from "./target.ts";

/** A tenth smaller than what `npm run build` makes, and ten times as long in the making: once a version. */
const releaseLevel = "19";

const root = resolve(import.meta.dir, "../..");
const folder = join(root, "dist/release");
const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { target: { type: "string", multiple: true }, level: { type: "string", default: releaseLevel } },
});
const targets = values.target?.map(targetNamed) ?? releaseTargets;

const npmSbom = async (): Promise<Sbom> => {
  const command = ["npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  if (exitCode !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return JSON.parse(stdout.toString()) as Sbom;
};

/** @returns null where it was made; else why not */
const make = async (target: Target, byNpm: Sbom): Promise<string | null> => {
  const name = `carrel-${version}-${target.name}`;
  const path = join(folder, target.platform === "win32" ? `${name}.exe` : name);
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, join(root, "tools/compile.ts"), path, "--target", target.name, "--level", values.level],
    { cwd: root, stdio: ["ignore", 2, "pipe"] },
  );
  if (exitCode !== 0) return /^error: (.+)$/m.exec(stderr.toString())?.[1] ?? stderr.toString().trim();
  console.error(stderr.toString().trim());
  const sbom = sbomOf(byNpm, await collectLicenses(root, target), {
    target: target.name,
    version,
    sha256: await sha256Of(path),
  });
  await Bun.write(join(folder, `${name}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
  return null;
};

const sha256Of = async (path: string): Promise<string> => {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
};

await mkdir(folder, { recursive: true });
// What an earlier release left would be listed with this one.
for (const name of await readdir(folder)) await unlink(join(folder, name));
const byNpm = await npmSbom();
const failures: string[] = [];
for (const target of targets) {
  console.error(`Building for ${target.name} …`);
  const reason = await make(target, byNpm);
  if (reason !== null) failures.push(`${target.name}: ${reason}`);
}
const names = (await readdir(folder)).sort();
const sums = await Promise.all(names.map(async (name) => `${await sha256Of(join(folder, name))}  ${name}\n`));
await Bun.write(join(folder, "SHA256SUMS"), sums.join(""));
console.error(`${relative(process.cwd(), folder)}: ${names.length} files and SHA256SUMS`);
for (const { name, reason } of unsupportedTargets) console.error(`Not made for ${name}: ${reason}.`);
for (const failure of failures) console.error(`FAILED for ${failure}`);
if (failures.length > 0) process.exitCode = 1;
