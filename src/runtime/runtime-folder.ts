import { mkdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";

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
