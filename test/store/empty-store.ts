import { rmSync } from "node:fs";
import { cp, glob, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { IndexDescription } from "../../src/domain/records.ts";
import { openStore } from "../../src/store/open.ts";

/** Folders of empty stores, by what their index is. */
const made = new Map<string, Promise<string>>();

const make = async (index: IndexDescription): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-empty-"));
  process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const store = await openStore({ dataDir, index, log: pino({ level: "silent" }), syncWrites: false });
  await store.close();
  const tables = join(dataDir, "tables");
  for await (const seal of glob("*/_seal.json", { cwd: tables })) await rm(join(tables, seal));
  return tables;
};

/**
 * Puts the tables of an empty store into a data directory. They are made once in a run: to copy and open them takes half of
 * the time. All else, such as the secret, is made when the store is opened.
 */
export const putEmptyTables = async (dataDir: string, index: IndexDescription): Promise<void> => {
  const key = JSON.stringify(index);
  const tables = made.get(key) ?? make(index);
  made.set(key, tables);
  await cp(await tables, join(dataDir, "tables"), { recursive: true });
};
