import { expect, test } from "bun:test";
import { join } from "node:path";
import { collectLicenses } from "../../../tools/licenses/collect.ts";
import { type Sbom, sbomOf } from "../../../tools/release/sbom.ts";
import { releaseTargets, targetNamed, thisTarget } from "../../../tools/release/target.ts";

const root = join(import.meta.dir, "../../..");
const made = { target: "linux-x64", version: "1.2.3", sha256: "ab".repeat(32) };

test("holds what is in the binary, with npm's checksums, and nothing else", () => {
  const component = (name: string) => ({
    "bom-ref": `${name}@1.0.0`,
    type: "library",
    name,
    version: "1.0.0",
    hashes: [],
  });
  const byNpm: Sbom = {
    bomFormat: "CycloneDX",
    metadata: { component: { "bom-ref": "carrel@1.2.3", type: "library", name: "folder" } },
    components: ["bundled", "inner", "unused"].map(component),
    dependencies: [
      { ref: "carrel@1.2.3", dependsOn: ["bundled@1.0.0", "unused@1.0.0"] },
      { ref: "bundled@1.0.0", dependsOn: ["inner@1.0.0", "unused@1.0.0"] },
      { ref: "unused@1.0.0", dependsOn: [] },
      { ref: "inner@1.0.0", dependsOn: [] },
    ],
  };
  const part = (name: string, version: string | null) => ({ name, version, license: "MIT", text: "…" });
  const parts = [
    part("Carrel", "1.2.3"),
    part("Bun", "1.4.5"),
    part("all-MiniLM-L6-v2", null),
    part("bundled", "1.0.0"),
    part("inner", "1.0.0"),
  ];
  const sbom = sbomOf(byNpm, parts, made);
  expect(sbom.components.map(({ name, type }) => [name, type])).toEqual([
    ["Bun", "platform"],
    ["all-MiniLM-L6-v2", "machine-learning-model"],
    ["bundled", "library"],
    ["inner", "library"],
  ]);
  expect(sbom.dependencies).toEqual([
    { ref: "carrel@1.2.3", dependsOn: ["bundled@1.0.0", "part:Bun@1.4.5", "part:all-MiniLM-L6-v2"] },
    { ref: "bundled@1.0.0", dependsOn: ["inner@1.0.0"] },
    { ref: "inner@1.0.0", dependsOn: [] },
  ]);
  expect(sbom.metadata.component).toMatchObject({
    type: "application",
    name: "carrel",
    version: "1.2.3",
    hashes: [{ alg: "SHA-256", content: made.sha256 }],
  });
});

test.skipIf(Bun.which("npm") === null)(
  "of the real program: references hold, packages have addresses and checksums",
  async () => {
    const command = ["npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
    const byNpm = JSON.parse(Bun.spawnSync(command, { cwd: root }).stdout.toString()) as Sbom;
    const parts = await collectLicenses(root, thisTarget());
    const { components, dependencies } = sbomOf(byNpm, parts, made);
    expect(components.length).toBe(parts.length - 1);
    const refs = components.map((component) => component["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
    const elysia = components.find(({ name }) => name === "elysia");
    expect(elysia).toMatchObject({ purl: expect.stringContaining("pkg:npm/elysia@"), hashes: [{ alg: "SHA-512" }] });
    expect(components.find(({ name }) => name === thisTarget().lanceDb)?.licenses).toBeDefined();
  },
);

test("a release is for four systems, named in docs/install.md", async () => {
  const page = await Bun.file(join(root, "docs/install.md")).text();
  expect(releaseTargets.map(({ name }) => name)).toEqual(["linux-x64", "linux-arm64", "darwin-arm64", "windows-x64"]);
  for (const { name } of releaseTargets) expect(page).toContain(`carrel-…-${name}`);
  expect(targetNamed("linux-x64-musl").isMusl).toBe(true);
  expect(() => targetNamed("amiga")).toThrow("There is no target amiga; there are linux-x64, ");
});
