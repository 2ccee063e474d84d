import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../domain/thrown.ts";

/**
 * Whether this process can write into a folder. Found out by writing: permissions, read-only mounts and quotas all
 * count.
 * @returns the code of the failure, such as `EACCES`; null where it can
 */
export const whyNotWritable = async (folder: string): Promise<string | null> => {
  const probe = join(folder, `.carrel-${process.pid}-${Bun.randomUUIDv7()}`);
  try {
    await writeFile(probe, "x", { flag: "wx", mode: 0o600, flush: true });
    return null;
  } catch (error) {
    return codeOf(error) ?? String(error);
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
};
