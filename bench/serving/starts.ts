/**
 * Size of a binary, and how long its first start on an empty data directory and the later ones take:
 *
 *     bun bench/serving/starts.ts BINARY [BINARY …] [--rounds 7]
 *
 * The binaries take turns, so that other work on the machine meets all of them. Memory is the largest of the whole run
 * of the server and of the process that unpacks its native parts.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

interface Start {
  readyMs: number;
  /** Processor time of the whole run, with the process that unpacks. */
  cpuMs: number;
  residentMb: number;
  peakMb: number;
}

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  options: { rounds: { type: "string", default: "7" } },
  allowPositionals: true,
});
const binaries = positionals.map((path) => resolve(path));

/** Until the line that names the address is printed. */
const untilReady = async (output: ReadableStream<Uint8Array>): Promise<void> => {
  let text = "";
  for await (const part of output) {
    text += new TextDecoder().decode(part);
    if (text.includes(" listens on ")) return;
  }
  throw new Error(`ended before it was ready: ${text}`);
};

const start = async (binary: string, dataDir: string): Promise<Start> => {
  const began = performance.now();
  const child = Bun.spawn([binary, "serve"], {
    cwd: dataDir,
    env: {
      HOME: dataDir,
      CARREL_ADMIN_KEY: `crl_${"b".repeat(43)}`,
      CARREL_DATA_DIR: join(dataDir, "data"),
      CARREL_SERVER_PORT: "0",
      CARREL_LOG_LEVEL: "error",
      CARREL_MODELS_EMBEDDING_MODEL: "static",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await untilReady(child.stdout);
  const readyMs = performance.now() - began;
  const status = await Bun.file(`/proc/${child.pid}/status`).text();
  const residentMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  child.kill("SIGTERM");
  await child.exited;
  const usage = child.resourceUsage();
  return {
    readyMs,
    cpuMs: Number(usage?.cpuTime.total) / 1000,
    residentMb,
    peakMb: Number(usage?.maxRSS) / 1024 ** 2,
  };
};

const figure = (starts: readonly Start[], of: keyof Start): string => {
  const sorted = starts.map((one) => one[of]).sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.round(share * (sorted.length - 1))] ?? 0).toFixed(0);
  return `${at(0.5)} (${at(0)} to ${at(1)})`;
};

const taken = new Map(binaries.map((binary) => [binary, { first: [] as Start[], later: [] as Start[] }]));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const [binary, { first, later }] of taken) {
    const folder = mkdtempSync(join(tmpdir(), "carrel-starts-"));
    try {
      first.push(await start(binary, folder));
      later.push(await start(binary, folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
console.log(
  "| binary | MB | first start, ms | CPU ms | later start, ms | CPU ms | peak MB, first | resident MB, later |",
);
console.log("|---|---|---|---|---|---|---|---|");
for (const [binary, { first, later }] of taken)
  console.log(
    `| ${binary.split("/").at(-1)} | ${(statSync(binary).size / 1e6).toFixed(0)} | ${figure(first, "readyMs")} | ${figure(first, "cpuMs")} | ${figure(later, "readyMs")} | ${figure(later, "cpuMs")} | ${figure(first, "peakMb")} | ${figure(later, "residentMb")} |`,
  );
