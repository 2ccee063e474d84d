import { mkdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { CommandFailure, codeOf } from "../domain/errors.ts";
import { whyNotWritable } from "../system/faults.ts";
import { setNativeVariable } from "../system/libc.ts";

/**
 * Where native parts are unpacked for a temporary store, without creating a data directory for them: in an existing
 * one, else in the user's cache, else in `temporary`.
 */
export const runtimeFolder = async (
  { dataDir }: Pick<Config, "dataDir">,
  env: Record<string, string | undefined>,
  temporary: string,
): Promise<string> => {
  const own = join(dataDir, "runtime");
  const isThere = await stat(own).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isThere) return own;
  const cache = join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "carrel");
  return mkdir(cache, { recursive: true, mode: 0o700 }).then(
    () => cache,
    () => join(temporary, "runtime"),
  );
};

/**
 * LanceDB and the parsers write to the temporary folder: where neither `TMPDIR` nor /tmp is writable, `folder` becomes
 * the temporary folder of this process and those it starts.
 * @returns the temporary folder in force @throws CommandFailure where there is none
 */
export const ensureTemporaryFolder = async (
  env: Record<string, string | undefined>,
  folder: string,
): Promise<string> => {
  const current = env.TMPDIR || "/tmp";
  if (await isWritable(current)) return current;
  const chosen = (await isWritable("/tmp")) ? "/tmp" : await makeFolder(folder);
  setNativeVariable("TMPDIR", chosen);
  return chosen;
};

const makeFolder = async (folder: string): Promise<string> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    throw new CommandFailure(
      `There is no folder for temporary files: ${folder} cannot be created (${code}). Set TMPDIR to one this user may write to.`,
    );
  }
};

const isWritable = async (folder: string): Promise<boolean> => (await whyNotWritable(folder)) === null;
