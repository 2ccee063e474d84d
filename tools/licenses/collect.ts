import type { LicensedPart } from "../../src/commands/licenses.ts";
import { version } from "../../src/domain/version.ts";
import { bundledFiles } from "../bundle.ts";
import { type Target, thisTarget } from "../release/target.ts";
import { bundledPackages } from "./bundled-packages.ts";
import { nativeParts } from "./native-parts.ts";
import { packageLicense } from "./package-license.ts";
import { runtimeParts } from "./runtime.ts";
import { text } from "./texts.ts";

/**
 * Everything the program carries, as a bundle of it says: Carrel, the runtime, native code and models, the packages.
 * @throws Error that names a package without a license text
 */
export const collectLicenses = async (root: string, target: Target = thisTarget()): Promise<LicensedPart[]> => {
  const native = nativeParts(root, target);
  const packages = bundledPackages(root, await bundledFiles(root)).filter(
    (bundled) => !native.some(({ name }) => name === bundled.name),
  );
  return [
    { name: "Carrel", version, license: "Apache-2.0", text: text("Apache-2.0") },
    ...runtimeParts(Bun.version),
    ...native,
    ...packages.map(packageLicense),
  ];
};
