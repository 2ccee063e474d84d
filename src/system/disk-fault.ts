import { codeOf } from "../domain/thrown.ts";

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
