import type { LicensedPart } from "../../src/commands/licenses.ts";

/** The fields of a CycloneDX component that are used here (https://cyclonedx.org/docs/1.5/json/). */
export interface Component {
  "bom-ref": string;
  type: string;
  name: string;
  version?: string;
  hashes?: { alg: string; content: string }[];
  licenses?: unknown[];
  [more: string]: unknown;
}

export interface Sbom {
  metadata: { component: Component; [more: string]: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
  [more: string]: unknown;
}

/** One binary of a release. */
interface MadeBinary {
  target: string;
  version: string;
  sha256: string;
}

/**
 * The bill of materials of one binary, in CycloneDX: what it really holds, by `carrel licenses`, with the checksums and
 * package addresses that npm knows; and what comes with no package (the runtime, its libraries, models).
 * @param byNpm what `npm sbom` says of package-lock.json, which also names what stays out of this binary
 */
export const sbomOf = (byNpm: Sbom, parts: readonly LicensedPart[], { target, version, sha256 }: MadeBinary): Sbom => {
  const known = new Map(byNpm.components.map((component) => [`${component.name}@${component.version}`, component]));
  const others = parts.filter(({ name }) => name !== "Carrel");
  const components = others.map((part) => known.get(`${part.name}@${part.version}`) ?? unpublished(part));
  const refs = new Set(components.map((component) => component["bom-ref"]));
  const root = byNpm.metadata.component["bom-ref"];
  const edges = byNpm.dependencies.filter(({ ref }) => refs.has(ref));
  // What npm does not know belongs to the program itself.
  const direct = byNpm.dependencies.find(({ ref }) => ref === root)?.dependsOn ?? [];
  const own = components.filter((component) => !known.has(`${component.name}@${component.version}`));
  return {
    ...byNpm,
    metadata: {
      ...byNpm.metadata,
      lifecycles: [{ phase: "build" }],
      component: {
        "bom-ref": root,
        type: "application",
        name: "carrel",
        version,
        hashes: [{ alg: "SHA-256", content: sha256 }],
        licenses: [{ license: { id: "Apache-2.0" } }],
        properties: [{ name: "carrel:target", value: target }],
      },
    },
    components,
    dependencies: [
      {
        ref: root,
        dependsOn: [...new Set([...direct.filter((ref) => refs.has(ref)), ...own.map((one) => one["bom-ref"])])],
      },
      ...edges.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
    ],
  };
};

const unpublished = ({ name, version, license }: LicensedPart): Component => ({
  "bom-ref": `part:${name}${version === null ? "" : `@${version}`}`,
  type: /^all-MiniLM/.test(name) ? "machine-learning-model" : name === "Bun" ? "platform" : "library",
  name,
  ...(version === null ? {} : { version }),
  licenses: [{ expression: license }],
});
