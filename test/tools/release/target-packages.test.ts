import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { packageFolder } from "../../../tools/release/target-packages.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const root = await temporaryFolder("packages");

const pack = async (name: string): Promise<{ archive: string; integrity: string }> => {
  const folder = join(root, `source-${name}`);
  await mkdir(folder, { recursive: true });
  await Bun.write(join(folder, "package.json"), JSON.stringify({ name, version: "1.0.0" }));
  Bun.spawnSync(["npm", "pack", "--pack-destination", root], { cwd: folder, stdio: ["ignore", "ignore", "ignore"] });
  const archive = join(root, `${name}-1.0.0.tgz`);
  const digest = createHash("sha512")
    .update(await Bun.file(archive).bytes())
    .digest("base64");
  return { archive, integrity: `sha512-${digest}` };
};

const lock = (packages: Record<string, object>) =>
  Bun.write(join(root, "package-lock.json"), JSON.stringify({ packages }));

test("what is installed is taken from node_modules, without asking anybody", async () => {
  await lock({});
  await Bun.write(join(root, "node_modules/installed/package.json"), "{}");
  expect(await packageFolder("installed", root)).toBe(join(root, "node_modules"));
});

test("what package-lock.json does not name is not fetched", async () => {
  await lock({});
  await expect(packageFolder("unnamed", root)).rejects.toThrow("package-lock.json does not name unnamed");
});

// npm packs an archive as it packs a package of a registry: both are fetched by `npm pack NAME@SOURCE`.
describe.skipIf(Bun.which("npm") === null)("a package is used only if it is the one that is pinned", () => {
  const name = "carrel-addon-sample";
  let packed: Awaited<ReturnType<typeof pack>>;
  beforeAll(async () => {
    packed = await pack(name);
  });
  const fetchedAs = async (more: object): Promise<string> => {
    await lock({ [`node_modules/${name}`]: { version: `file:${packed.archive}`, ...more } });
    return await packageFolder(name, root);
  };

  test("without a checksum it is not", async () => {
    await expect(fetchedAs({})).rejects.toThrow(`has no checksum of ${name}`);
  });

  test("with another checksum it is not; with its own it is, and is kept", async () => {
    await expect(fetchedAs({ integrity: `sha512-${"A".repeat(86)}==` })).rejects.toThrow(
      "is not what package-lock.json pins",
    );
    const folder = await fetchedAs({ integrity: packed.integrity });
    expect(await Bun.file(join(folder, name, "package.json")).json()).toMatchObject({ version: "1.0.0" });
    await rm(packed.archive);
    expect(await fetchedAs({ integrity: packed.integrity })).toBe(folder);
  });
});
