import { dlopen } from "bun:ffi";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * LanceDB spills to the temporary folder, and parsers write there: where the system's (`TMPDIR`, else /tmp) cannot be
 * written to, `folder` is it from now on, for this process and those it starts.
 * @returns the temporary folder in force
 */
export const ensureTemporaryFolder = async (
  env: Record<string, string | undefined>,
  folder: string,
): Promise<string> => {
  const current = env.TMPDIR || "/tmp";
  if (await isWritable(current)) return current;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  setVariable("TMPDIR", folder);
  return folder;
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
