import { mkdir } from "node:fs/promises";
import { CommandFailure } from "../domain/command-failure.ts";
import { codeOf } from "../domain/thrown.ts";
import { setNativeVariable } from "../system/native-variable.ts";
import { whyNotWritable } from "../system/why-not-writable.ts";

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
