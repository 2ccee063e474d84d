/**
 * The highest memory and the CPU time of many small documents in one batch, on a fresh server:
 *
 *     bun bench/ingest/batch-memory.ts [BINARY|-] [--documents 100000] [--characters 400] [--rest 60] [--every 0]
 *
 * BINARY is `dist/carrel`; without it the program runs from source. Prints the highest resident set that the kernel saw
 * (VmHWM), what the highest seen here consisted of, and what is left once all vectors are made and `--rest` seconds have
 * passed. With `--every` milliseconds, a line of parts at each. Variables of LanceDB (`LANCE_…`, `TOKIO_…`) are handed on.
 */
import { parseArgs } from "node:util";
import { createCorpus } from "../serving/corpus.ts";
import { show } from "../serving/figures.ts";
import { cpuSecondsOf, peakMbOf } from "../serving/process-figures.ts";
import { commandOf, post, sendBatch, startProgram, temporaryFolder, untilProcessed } from "../serving/program.ts";
import { describeParts, residentParts } from "../serving/resident-parts.ts";
import { untilVectors } from "../serving/until-vectors.ts";
import { watchParts } from "../serving/watch-parts.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: "string", default: "100000" },
    characters: { type: "string", default: "400" },
    rest: { type: "string", default: "60" },
    every: { type: "string", default: "0" },
    model: { type: "string", default: "static" },
  },
});
const count = Number(values.documents);
const restMs = Number(values.rest) * 1_000;
const pollMs = 1_000;

process.env.CARREL_MODELS_EMBEDDING_MODEL = values.model;
const folder = temporaryFolder();
try {
  const program = await startProgram(commandOf(positionals[0]), folder.path);
  const { pid } = program;
  try {
    await post(program, "/api/ingest", { name: "warm", text: "Warms up what is loaded on first use." });
    await post(program, "/api/search", { query: "what is loaded" });
    const corpus = createCorpus(7);
    const documents = Array.from({ length: count }, (_, at) => ({
      name: `note ${at}`,
      text: corpus.document(Number(values.characters)),
    }));
    show("before", describeParts(residentParts(pid)));
    const cpuBefore = cpuSecondsOf(pid);
    const watch = watchParts(pid, Number(values.every));
    await sendBatch(program, documents);
    show(
      `${count} documents in one batch: CPU until all lines were answered`,
      `${(cpuSecondsOf(pid) - cpuBefore).toFixed(1)} s`,
    );
    show("highest until then (VmHWM)", `${(peakMbOf(pid)).toFixed(0)} MB`);
    await untilProcessed(program, count + 1);
    show("CPU until the last was found", `${(cpuSecondsOf(pid) - cpuBefore).toFixed(1)} s`);
    show("highest until then (VmHWM)", `${(peakMbOf(pid)).toFixed(0)} MB`);
    await untilVectors(program, pollMs);
    await Bun.sleep(restMs);
    watch.stop();
    show("CPU with upkeep and vectors", `${(cpuSecondsOf(pid) - cpuBefore).toFixed(1)} s`);
    show("highest of all (VmHWM)", `${(peakMbOf(pid)).toFixed(0)} MB`);
    show("the highest that was seen", describeParts(watch.highest()));
    show(`${values.rest} s later`, describeParts(residentParts(pid)));
  } finally {
    await program.stop();
  }
} finally {
  folder.remove();
}
