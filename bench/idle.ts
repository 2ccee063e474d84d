/**
 * CPU time and memory of a server that nobody uses:
 *
 *     bun bench/idle.ts [BINARY|-] [--seconds 60] [--documents 2000] [--settle 90]
 *
 * BINARY is `dist/carrel`; without it the program runs from source. Prints what the resident set consists of, and the CPU
 * milliseconds that the process took in each second, and of which threads (Linux): of a fresh server, and after it took in many small documents, had the
 * vectors of all of them and rested for `--settle` seconds. The time that the process has had is read from `/proc` in
 * nanoseconds: ticks of 10 ms say nothing about a few milliseconds. Nothing is asked of the server meanwhile.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCorpus } from "./serving/corpus.ts";
import { show } from "./serving/figures.ts";
import {
  commandOf,
  type Program,
  sendBatch,
  startProgram,
  temporaryFolder,
  untilProcessed,
} from "./serving/program.ts";
import { describeParts, residentParts } from "./serving/resident-parts.ts";
import { untilVectors } from "./serving/until-vectors.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    documents: { type: "string", default: "2000" },
    settle: { type: "string", default: "90" },
  },
});
const seconds = Number(values.seconds);
const count = Number(values.documents);
const settleMs = Number(values.settle) * 1_000;
const characters = 400;
const vectorsPollMs = 5_000;
/** A fresh server still writes its first tables and calls its compilers for some seconds. */
const afterStartMs = 20_000;

/** A thread's name, and the nanoseconds for which it ran. */
interface ThreadTime {
  name: string;
  ns: number;
}

const threadTimes = (pid: number): Map<string, ThreadTime> => {
  const folder = `/proc/${pid}/task`;
  const times = new Map<string, ThreadTime>();
  for (const id of readdirSync(folder)) {
    try {
      const name = readFileSync(join(folder, id, "comm"), "utf8").trim();
      const [ns] = readFileSync(join(folder, id, "schedstat"), "utf8").split(" ");
      times.set(id, { name: id === String(pid) ? "main" : name, ns: Number(ns) });
    } catch {
      // The thread ended meanwhile.
    }
  }
  return times;
};

const perSecond = (ns: number): string => `${(ns / 1e6 / seconds).toFixed(2)} ms/s`;

const measureRest = async (what: string, program: Program): Promise<void> => {
  const before = threadTimes(program.pid);
  await Bun.sleep(seconds * 1_000);
  const byName = new Map<string, number>();
  for (const [id, { name, ns }] of threadTimes(program.pid)) {
    const taken = ns - (before.get(id)?.ns ?? 0);
    byName.set(name, (byName.get(name) ?? 0) + taken);
  }
  show(`${what}: resident`, describeParts(residentParts(program.pid)));
  show(`${what}: CPU`, perSecond([...byName.values()].reduce((sum, ns) => sum + ns, 0)));
  const largestFirst = [...byName].filter(([, ns]) => ns > 0).toSorted(([, a], [, b]) => b - a);
  for (const [name, ns] of largestFirst) show(`  ${name}`, perSecond(ns));
};

const folder = temporaryFolder();
try {
  const program = await startProgram(commandOf(positionals[0]), folder.path);
  try {
    await Bun.sleep(afterStartMs);
    await measureRest("fresh", program);
    const corpus = createCorpus(7);
    const documents = Array.from({ length: count }, (_, at) => ({
      name: `note ${at}`,
      text: corpus.document(characters),
    }));
    await sendBatch(program, documents);
    await untilProcessed(program, count);
    await untilVectors(program, vectorsPollMs);
    await Bun.sleep(settleMs);
    await measureRest(`after ${count} documents`, program);
  } finally {
    await program.stop();
  }
} finally {
  folder.remove();
}
