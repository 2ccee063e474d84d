import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { IndexDescription } from "../../src/domain/records.ts";
import { openStore } from "../../src/store/open.ts";

interface Tables {
  /** Each after the one that it is in. */
  folders: string[];
  files: { path: string; bytes: Uint8Array }[];
}

/** By what the index of the store is. */
const made = new Map<string, Promise<Tables>>();

const make = async (index: IndexDescription): Promise<Tables> => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-empty-"));
  try {
    const store = await openStore({ dataDir, index, log: pino({ level: "silent" }), syncWrites: false });
    await store.close();
    const entries = readdirSync(join(dataDir, "tables"), { recursive: true, withFileTypes: true });
    const paths = (found: typeof entries) => found.map(({ parentPath, name }) => join(parentPath, name));
    // Seals are of a store that was closed.
    const files = paths(entries.filter((entry) => entry.isFile() && entry.name !== "_seal.json"));
    return {
      folders: paths(entries.filter((entry) => entry.isDirectory()))
        .map((path) => path.slice(dataDir.length))
        .sort(),
      files: files.map((path) => ({ path: path.slice(dataDir.length), bytes: readFileSync(path) })),
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};

/**
 * Puts the tables of an empty store into a data directory. They are made once in a run: to write and open them takes half of
 * the time. All else, such as the secret, is made when the store is opened.
 */
export const putEmptyTables = async (dataDir: string, index: IndexDescription): Promise<void> => {
  const key = JSON.stringify(index);
  const tables = made.get(key) ?? make(index);
  made.set(key, tables);
  const { folders, files } = await tables;
  mkdirSync(join(dataDir, "tables"), { mode: 0o700 });
  for (const path of folders) mkdirSync(join(dataDir, path));
  for (const { path, bytes } of files) writeFileSync(join(dataDir, path), bytes);
};
