import { join } from "node:path";
import { residentBytes } from "../../src/parse/process/worker-pool.ts";
import type { Reading } from "./read-one.ts";
import type { Format } from "./readers.ts";

export interface ReaderLimits {
  timeoutMs: number;
  maxMemoryBytes: number;
}

export interface ReaderRun {
  /** What came out; null where the process was ended or ended itself. */
  reading: Reading | null;
  /** Why there is no reading. */
  ended: string | null;
  wallMs: number;
  peakBytes: number;
}

const lookMs = 20;

/** One file through one reader in a process of its own, as Carrel does it, ended over either limit. */
export const runReader = async (
  file: { reader: string; format: Format; path: string; folder: string; times: number },
  limits: ReaderLimits,
): Promise<ReaderRun> => {
  const { reader, format, path, folder, times } = file;
  const began = performance.now();
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "read-one.ts"), reader, format, path, folder, String(times)],
    { stdout: "pipe", stderr: "ignore" },
  );
  let ended: string | null = null;
  let peakBytes = 0;
  const end = (why: string) => {
    ended ??= why;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => end(`over ${limits.timeoutMs / 1_000} s`), limits.timeoutMs);
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(child.pid));
    if (peakBytes > limits.maxMemoryBytes) end(`over ${Math.round(limits.maxMemoryBytes / 1_048_576)} MiB`);
  }, lookMs);
  const output = await new Response(child.stdout).text();
  await child.exited;
  clearTimeout(timer);
  clearInterval(watch);
  const reading = ended === null && output !== "" ? (JSON.parse(output) as Reading) : null;
  if (reading === null) ended ??= `crashed (${child.signalCode ?? child.exitCode})`;
  return { reading, ended, wallMs: performance.now() - began, peakBytes };
};
