import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Target, thisTarget } from "./release/target.ts";

/**
 * LanceDB's addon for a system, the present one unless another is named.
 * @param packages folder of packages, such as node_modules
 * @throws Error where it does not hold it
 */
export const lanceDbAddon = (packages: string, { lanceDb }: Target = thisTarget()): string => {
  const path = join(packages, lanceDb, `${lanceDb.replace("@lancedb/lancedb-", "lancedb.")}.node`);
  if (!existsSync(path))
    throw new Error(
      `LanceDB's addon for ${lanceDb.replace("@lancedb/lancedb-", "")} is not in node_modules: install again with npm ci.`,
    );
  return path;
};
