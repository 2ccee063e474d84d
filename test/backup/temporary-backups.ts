import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Run, run } from "../commands/run.ts";
import type { TestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { eventually } from "../until.ts";

/** A backup as the API shows it. */
export interface ShownBackup {
  id: string;
  createdAt: string;
  markedAt: string | null;
  finishedAt: string | null;
  status: "pending" | "running" | "completed" | "failed";
  bytes: number;
  newBytes: number;
  documents: number | null;
  target: string;
  error: string | null;
}

/** A folder with a target in it, removed with the test. */
export const temporaryTarget = async () => {
  const folder = await temporaryFolder("backup");
  return {
    folder,
    target: join(folder, "target"),
    /** A command on a data directory within the folder. */
    carrel: (argv: readonly string[], dataDir = "unused", env: Record<string, string> = {}): Promise<Run> =>
      run(argv, { cwd: folder, env: { CARREL_DATA_DIR: join(folder, dataDir), ...env } }),
  };
};

/** Waits until a backup has ended. */
export const ended = (server: Pick<TestServer, "ask">, id: string): Promise<ShownBackup> =>
  eventually(async () => {
    const listed = (await server.ask("GET", "/api/backup?limit=100")).body as ShownBackup[];
    const found = listed.find((backup) => backup.id === id);
    if (found?.status === "completed" || found?.status === "failed") return found;
    throw new Error(`the backup ${id} does not end: ${JSON.stringify(listed)}`);
  });

/** Makes a backup over HTTP. */
export const backUp = async (server: Pick<TestServer, "ask">): Promise<ShownBackup> => {
  const begun = await server.ask("POST", "/api/backup", { json: {} });
  if (begun.status !== 202) throw new Error(begun.text);
  return ended(server, begun.body.id);
};

/** Paths of the files below a folder. */
export const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Flips one bit in the middle of a file. */
export const flipByte = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
};
