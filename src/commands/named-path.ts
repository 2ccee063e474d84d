import { resolve } from "node:path";
import { CommandFailure, UsageFailure } from "../domain/errors.ts";
import { isWithin } from "../system/paths.ts";
import { quoted } from "./output/output.ts";

/**
 * The absolute path that an argument names.
 * @throws UsageFailure if it is empty: a shell's variable without a value must not stand for the working directory
 */
export const namedPath = (argument: string, cwd: string): string => {
  if (argument === "") throw new UsageFailure("The name of a folder is empty.");
  return resolve(cwd, argument);
};

/**
 * @param what the other folder in words
 * @throws CommandFailure if a folder that is to be written is in the other one
 */
export const assertOutside = async (folder: string, other: string, what: string): Promise<void> => {
  if (await isWithin(other, folder))
    throw new CommandFailure(`${folder} is inside ${what} ${other}: choose another folder.`);
};

const plain = /^[\w@%+=:,./~-]+$/;

/** A path as a shell takes it. */
export const quotedForShell = (path: string): string => (plain.test(path) ? path : quoted(path));
