import { existsSync } from "node:fs";
import { join } from "node:path";
import { familySync, MUSL } from "detect-libc";

/**
 * LanceDB's addon for this system. On Linux the C library is the one this Bun runs on, for the program is made of it: a
 * second one may be installed beside it, as Debian's package `musl` does.
 * @throws Error where node_modules does not hold it
 */
export const lanceDbAddon = (nodeModules: string): string => {
  const { platform, arch } = process;
  const libc = platform === "linux" ? (familySync() === MUSL ? "-musl" : "-gnu") : "";
  const name = `${platform}-${arch}${platform === "win32" ? "-msvc" : libc}`;
  const path = join(nodeModules, "@lancedb", `lancedb-${name}`, `lancedb.${name}.node`);
  if (!existsSync(path))
    throw new Error(`LanceDB's addon for ${name} is not in node_modules: install again with npm ci.`);
  return path;
};
