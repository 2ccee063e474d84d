import { dlopen } from "bun:ffi";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "./surroundings.ts";

/**
 * LanceDB spills to the temporary folder, and parsers write there: where neither `TMPDIR` nor /tmp can be written to,
 * `folder` is it from now on, for this process and those it starts.
 * @returns the temporary folder in force @throws CommandFailure where there is none
 */
export const ensureTemporaryFolder = async (
  env: Record<string, string | undefined>,
  folder: string,
): Promise<string> => {
  const current = env.TMPDIR || "/tmp";
  if (await isWritable(current)) return current;
  const chosen = (await isWritable("/tmp")) ? "/tmp" : await makeFolder(folder);
  setVariable("TMPDIR", chosen);
  return chosen;
};

const makeFolder = async (folder: string): Promise<string> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    const code = (error as { code?: string }).code ?? String(error);
    throw new CommandFailure(
      `There is no folder for temporary files: ${folder} cannot be made (${code}). Set TMPDIR to one this user may write to.`,
    );
  }
};

/** Tried, not asked: permissions, read-only mounts and quotas all count. */
const isWritable = async (folder: string): Promise<boolean> => {
  const probe = join(folder, `.carrel-${process.pid}-${Date.now()}`);
  try {
    await writeFile(probe, "", { flag: "wx", mode: 0o600 });
    await rm(probe);
    return true;
  } catch {
    return false;
  }
};

/** Sets a variable for JavaScript, for child processes, and for native code, which does not see `process.env`. */
const setVariable = (name: string, value: string): void => {
  process.env[name] = value;
  if (process.platform !== "linux" && process.platform !== "darwin") return;
  const musl = `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`;
  for (const library of process.platform === "darwin" ? ["libSystem.B.dylib"] : ["libc.so.6", musl]) {
    try {
      const { symbols } = dlopen(library, { setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" } });
      symbols.setenv(Buffer.from(`${name}\0`), Buffer.from(`${value}\0`), 1);
      return;
    } catch {
      // The next name may be there.
    }
  }
};
