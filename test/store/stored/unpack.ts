import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Expected } from "./expected.ts";

const archives = join(import.meta.dir, "../../fixtures/stores");

/** Versions of which there is a stored store, oldest first. */
export const storedVersions = ["v2", "v3", "v4", "v5"] as const;
export type StoredVersionName = (typeof storedVersions)[number];

export interface Unpacked {
  dataDir: string;
  expected: Expected;
  dispose(): Promise<void>;
}

/** A copy of a stored store in a folder of its own, below the parent. */
export const unpackStore = async (name: StoredVersionName, parent = tmpdir()): Promise<Unpacked> => {
  const folder = await mkdtemp(join(parent, "carrel-stored-"));
  const packed = await Bun.file(join(archives, `${name}.tar.zst`)).bytes();
  await new Bun.Archive(Bun.zstdDecompressSync(packed)).extract(folder);
  return {
    dataDir: join(folder, "data"),
    expected: (await Bun.file(join(folder, "expected.json")).json()) as Expected,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
};

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
