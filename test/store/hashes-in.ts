import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** SHA-256 of every file of the store in a data directory, or in a snapshot of one, by path. */
export const hashesIn = async (dataDir: string): Promise<Record<string, string>> => {
  const hashes: Record<string, string> = {};
  for (const part of ["tables", "files"])
    for (const entry of await readdir(join(dataDir, part), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      hashes[path.slice(dataDir.length + 1)] = createHash("sha256")
        .update(await readFile(path))
        .digest("hex");
    }
  hashes.secret = (await readFile(join(dataDir, "secret"))).toString("hex");
  return hashes;
};
