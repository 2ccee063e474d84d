import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { LicensedPart } from "../../src/commands/licenses.ts";
import { type BundledPackage, readManifest } from "./bundled-packages.ts";
import { fallbacks, undeclared } from "./fallbacks.ts";
import { text as commonText } from "./texts.ts";

/** LICENSE, LICENCE.md, COPYING, NOTICE, LICENSE_OPENJPEG…, but no code that is named so. */
const isLicenseFile = (name: string): boolean =>
  /^(licen[cs]es?|copying|notice)([-_. ]|$)/i.test(name) && !/^license_header|\.([cm]?[jt]s|json|map)$/i.test(name);

/**
 * A package with its terms: the files it ships, else what is known of it.
 * @throws Error that names a package of which neither is there
 */
export const packageLicense = ({ name, version, folder, fileFolders }: BundledPackage): LicensedPart => {
  const files = folder === null ? [] : [folder, ...fileFolders].flatMap(licenseFiles);
  const unique = [...new Set(files)];
  const fallback = fallbacks[name];
  if (unique.length === 0 && fallback === undefined)
    throw new Error(`${name} ${version} comes without its license text: add it to tools/licenses/fallbacks.ts.`);
  const license = unique.length === 0 ? fallback?.license : (declaredLicense(folder) ?? undeclared[name]);
  if (license === undefined) throw new Error(`${name} ${version} does not say which license it has.`);
  const text = unique.length === 0 ? (fallback?.text ?? "") : joined(unique);
  return { name, version, license, text: withTerms(license, text) };
};

/** Some packages under Apache-2.0 ship the short notice that points to the terms. */
const withTerms = (license: string, text: string): string =>
  license === "Apache-2.0" && !text.includes("TERMS AND CONDITIONS FOR USE, REPRODUCTION")
    ? `${text}\n\n${commonText("Apache-2.0")}`
    : text;

const licenseFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicenseFile(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort();

const joined = (files: readonly string[]): string => {
  const texts = files.map((file) => ({
    name: basename(file),
    text: readFileSync(file, "utf8").replaceAll("\r", "").trim(),
  }));
  return texts.length === 1
    ? (texts[0]?.text ?? "")
    : texts.map(({ name, text }) => `--- ${name} ---\n\n${text}`).join("\n\n");
};

/** Old packages have an object, or a list of them, where today's have an SPDX expression. */
const declaredLicense = (folder: string | null): string | undefined => {
  if (folder === null) return undefined;
  const { license, licenses } = readManifest(folder);
  const names = [license ?? licenses].flat().map((each) => (typeof each === "string" ? each : typeOf(each)));
  return names.every((name) => name !== undefined) && names.length > 0
    ? names.join(" OR ").replace(/^\((.*)\)$/, "$1")
    : undefined;
};

const typeOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
    ? value.type
    : undefined;
