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
import { commandOf, sendBatch, startProgram, temporaryFolder, untilProcessed } from "../serving/program.ts";
import { reportMemory } from "./memory-report.ts";

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
  try {
    const corpus = createCorpus(7);
    const documents = Array.from({ length: count }, (_, at) => ({
      name: `note ${at}`,
      text: corpus.document(Number(values.characters)),
    }));
    await reportMemory(program, { pollMs, restMs, printEveryMs: Number(values.every) }, async (tell) => {
      await sendBatch(program, documents);
      tell(`${count} documents in one batch: CPU until all lines were answered`, "highest until then (VmHWM)");
      await untilProcessed(program, count + 1);
      tell("CPU until the last was found", "highest until then (VmHWM)");
    });
  } finally {
    await program.stop();
  }
} finally {
  folder.remove();
}
