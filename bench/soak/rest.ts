import type { Program } from "../serving/program.ts";
import { hasAllVectors, type VectorStatus } from "../serving/until-vectors.ts";
import { diskBytes } from "./process.ts";
import type { Client } from "./requests.ts";

/** Erased data leaves the disk within a minute: for longer than that, nothing may change. */
const restMs = 75_000;
const maxRestMs = 600_000;
const pollMs = 5_000;

/** Waits until a server has nothing more to do: all vectors are made, and its data no longer changes in size. */
export const untilAtRest = async (client: Client, dataDir: string): Promise<void> => {
  const status = async () => (await client.ask("GET", "/api/embedder")) as VectorStatus;
  while (!hasAllVectors(await status())) await Bun.sleep(pollMs);
  const startedAt = performance.now();
  let last = -1;
  let since = startedAt;
  while (performance.now() - since < restMs && performance.now() - startedAt < maxRestMs) {
    const bytes = diskBytes(dataDir);
    if (bytes !== last) since = performance.now();
    last = bytes;
    await Bun.sleep(pollMs);
  }
};

/** Runs a command of the program on a server's data. @throws Error where it fails */
export const runCommand = async (command: readonly string[], dataDir: string, ...args: string[]): Promise<void> => {
  const child = Bun.spawn([...command, ...args], {
    env: { ...process.env, CARREL_DATA_DIR: dataDir, CARREL_LOG_LEVEL: "warn" },
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${args.join(" ")} failed: ${said}`);
};

/** How many documents a server holds. */
export const countDocuments = async ({ url, headers }: Program): Promise<number> => {
  const response = await fetch(`${url}/api/document?limit=1`, { headers });
  return Number(response.headers.get("x-total-count"));
};
