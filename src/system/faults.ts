import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, messageOf } from "../domain/errors.ts";

const words: Readonly<Record<string, string>> = {
  EACCES: "Carrel's user may not use it",
  EPERM: "Carrel's user may not use it",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk quota is used up",
  EROFS: "its disk is read-only",
  EIO: "its disk reports errors",
  EEXIST: "a file of that name is in its place",
  ENOTDIR: "it, or a part of its path, is not a folder",
};

/** Why a folder cannot be used, in words; null where the error is none of a system call. */
export const diskFault = (error: unknown): string | null => {
  const code = codeOf(error);
  return code === null ? null : (words[code] ?? code);
};

const maxCauses = 5;

/** Whether the system, or LanceDB, says that no more files can be opened: by this process, or by all together. */
export const isOutOfFiles = (error: unknown): boolean => {
  let cause = error;
  for (let depth = 0; depth < maxCauses && cause instanceof Error; depth += 1) {
    if (/\b(?:EMFILE|ENFILE)\b|too many open files|os error 2[34]\b/i.test(`${codeOf(cause)} ${messageOf(cause)}`))
      return true;
    ({ cause } = cause);
  }
  return false;
};

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
