/**
 * How long an export and imports of it take on running servers, and what memory the server and the command need:
 *
 *     bun bench/portability/run.ts [BINARY|-] [documents] [megabytes of one large file]
 *
 * CPU seconds of the server say more than the clock on a machine that does other work too. Memory is the highest resident set that the kernel saw (VmHWM), for a server beside what it had before. The floor of an
 * import is the same documents in one batch, which are indexed and stored in the same way.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCorpus } from "../serving/corpus.ts";
import { show } from "../serving/figures.ts";
import { cpuSecondsOf, peakMbOf } from "../serving/process-figures.ts";
import { commandOf, type Program, sendBatch, startProgram, untilProcessed } from "../serving/program.ts";

process.env.CARREL_MODELS_EMBEDDING_MODEL = "static";
const [binary, count = "20000", megabytes = "20"] = process.argv.slice(2);
const command = commandOf(binary);
const documents = Number(count);
const folder = mkdtempSync(join(tmpdir(), "carrel-bench-portability-"));
const charactersEach = 1_000;

/** Runs a command on the data directory of a server. */
const runCommand = async (dataDir: string, ...args: string[]): Promise<{ seconds: number; peakMb: number }> => {
  const began = performance.now();
  const child = Bun.spawn([...command, ...args], {
    env: { ...process.env, CARREL_DATA_DIR: join(dataDir, "data"), CARREL_LOG_LEVEL: "warn" },
    stdout: "inherit",
    stderr: "ignore",
  });
  let peak = 0;
  const watch = setInterval(async () => {
    peak = Math.max(peak, peakMbOf(child.pid));
  }, 50);
  const status = await child.exited;
  clearInterval(watch);
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
  return { seconds: (performance.now() - began) / 1_000, peakMb: peak };
};

const measured = async (what: string, server: Program, dataDir: string, ...args: string[]): Promise<void> => {
  const before = await server.residentMb();
  // From here on the kernel notes the highest resident set anew.
  await Bun.write(`/proc/${server.pid}/clear_refs`, "5");
  const cpuBefore = cpuSecondsOf(server.pid);
  const { seconds, peakMb: ofCommand } = await runCommand(dataDir, ...args);
  const cpu = cpuSecondsOf(server.pid) - cpuBefore;
  const ofServer = peakMbOf(server.pid);
  show(`${what}: seconds, documents a second`, `${seconds.toFixed(1)}, ${(documents / seconds).toFixed(0)}`);
  show(`${what}: CPU of the server`, `${cpu.toFixed(1)} s, ${((1_000 * cpu) / documents).toFixed(2)} ms a document`);
  show(
    `${what}: peak of the server (before), of the command`,
    `${ofServer.toFixed(0)} (${before.toFixed(0)}), ${ofCommand.toFixed(0)} MB`,
  );
};

try {
  const corpus = createCorpus(7);
  const texts = Array.from({ length: documents }, (_, number) => ({
    name: `Document ${number}`,
    text: corpus.document(charactersEach),
  }));
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  const source = await startProgram(command, from);
  const batchMs = await sendBatch(source, texts);
  await untilProcessed(source, documents);
  const floorCpu = cpuSecondsOf(source.pid);
  show("floor, one batch: documents a second", (documents / (batchMs / 1_000)).toFixed(0));
  show(
    "floor: CPU of the server",
    `${floorCpu.toFixed(1)} s, ${((1_000 * floorCpu) / documents).toFixed(2)} ms a document`,
  );
  const form = new FormData();
  form.set("file", new File([corpus.document(Number(megabytes) * 1024 * 1024)], "large.txt", { type: "text/plain" }));
  const { "content-type": _, ...headers } = source.headers;
  const uploaded = await fetch(`${source.url}/api/ingest`, { method: "POST", headers, body: form });
  if (!uploaded.ok) throw new Error(await uploaded.text());
  show(
    "floor, and the large file: CPU, peak of the server",
    `${cpuSecondsOf(source.pid).toFixed(1)} s, ${peakMbOf(source.pid).toFixed(0)} MB`,
  );
  const exported = join(folder, "exported");
  await measured("export", source, from, "export", exported);
  await source.stop();
  const target = await startProgram(command, to);
  await measured("import", target, to, "import", exported);
  await measured("second import", target, to, "import", exported);
  await target.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
