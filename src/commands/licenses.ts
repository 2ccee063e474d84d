import { fileURLToPath } from "node:url";
import type { Environment } from "../program/environment.ts";

/** A part of the program with a license: the program itself, or the work of others. */
export interface LicensedPart {
  name: string;
  /** Null where the part has no version of its own. */
  version: string | null;
  /** SPDX expression. */
  license: string;
  /** The license with its copyright notices, in full. */
  text: string;
}

const line = "=".repeat(80);

/** `carrel licenses`: every part of the program with its license. */
export const licenses = async (options: { json?: boolean }, environment: Environment): Promise<void> => {
  const parts = await readParts(environment.embedded?.licenses ?? null);
  if (options.json === true) {
    environment.write(`${JSON.stringify(parts)}\n`);
    return;
  }
  for (const { name, version, license, text } of parts)
    environment.write(`${line}\n${[name, version].filter(Boolean).join(" ")}: ${license}\n${line}\n\n${text}\n\n`);
};

const readParts = async (file: string | null): Promise<LicensedPart[]> => {
  if (file !== null)
    return JSON.parse(
      new TextDecoder().decode(await Bun.zstdDecompress(await Bun.file(file).bytes())),
    ) as LicensedPart[];
  // From source, the build's collector finds them; its path is no literal, so that the binary does not include it.
  const collector = new URL("../../tools/licenses/collect.ts", import.meta.url).href;
  const { collectLicenses } = (await import(collector)) as {
    collectLicenses: (root: string) => Promise<LicensedPart[]>;
  };
  return collectLicenses(fileURLToPath(new URL("../../", import.meta.url)));
};
