/**
 * What serving costs over the work that cannot be avoided, measured in the same run:
 *
 *     bun bench/serving/run.ts [BINARY]
 *
 * BINARY is `dist/carrel`; without it the program runs from source. Prints ratios, start-up and memory.
 */
import { join } from "node:path";
import { compareQuestions } from "./compare-questions.ts";
import { createCorpus } from "./corpus.ts";
import { ms, show } from "./figures.ts";
import { ingestFloor } from "./floors.ts";
import {
  commandOf,
  ingestAll,
  type Program,
  post,
  sendBatch,
  snippetsOf,
  startProgram,
  temporaryFolder,
  untilProcessed,
} from "./program.ts";

const wantedSnippets = 10_000;
const batchSize = 500;
const questionCount = 200;
const clientCount = 16;

const binary = process.argv[2];
const command = commandOf(binary);
const corpus = createCorpus(7);

const timed = async (work: Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work;
  return performance.now() - started;
};

const named = (texts: readonly string[]) => texts.map((text, at) => ({ name: `document ${at}`, text }));

const folder = temporaryFolder();
const running: Program[] = [];
const start = async (dataDir = folder.path): Promise<Program> => {
  const program = await startProgram(command, dataDir);
  running.push(program);
  return program;
};
const warmUp = (program: Program) =>
  post(program, "/api/ingest", { name: "warm", text: "Warms up what is loaded on first use." });
try {
  const texts = Array.from({ length: batchSize }, () => corpus.document(5_000));
  const atOnce = await start(join(folder.path, "other"));
  await Bun.sleep(1_000);
  show("start to ready, empty", ms(atOnce.readyMs));
  show("resident, idle", `${(await atOnce.residentMb()).toFixed(0)} MB`);

  await warmUp(atOnce);
  const floorMs = await ingestFloor(texts, join(folder.path, "floor"));
  show(`${batchSize} texts of 5,000 characters cut, analyzed, embedded, written in one call`, ms(floorMs));
  const batchMs = await timed(sendBatch(atOnce, named(texts)).then(() => untilProcessed(atOnce, batchSize + 1)));
  show("the same as one batch, until all are found", ms(batchMs));
  show("ratio (aim: at most 2)", (batchMs / floorMs).toFixed(2));
  await atOnce.stop();

  const first = await start();
  await warmUp(first);
  const ingestMs = await ingestAll(first, named(texts), clientCount);
  show(`the same by ${clientCount} clients, each waiting until its document is found`, ms(ingestMs));
  show("ratio (aim: at most 2)", (ingestMs / floorMs).toFixed(2));
  show("a document costs", ms(ingestMs / batchSize));
  show("resident, after the ingest", `${(await first.residentMb()).toFixed(0)} MB`);

  while ((await snippetsOf(first)) < wantedSnippets)
    await ingestAll(first, named(Array.from({ length: 200 }, () => corpus.document(5_000))), clientCount);
  await first.stop();

  const questions = Array.from({ length: questionCount }, () => corpus.question());
  const second = await compareQuestions(folder.path, start, questions);
  show("start to ready, 10,000 snippets", ms(second.readyMs));
  show("resident, after the questions", `${(await second.residentMb()).toFixed(0)} MB`);
  await second.stop();
} finally {
  for (const program of running) await program.stop();
  folder.remove();
}
