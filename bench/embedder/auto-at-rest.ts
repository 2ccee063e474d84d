/**
 * What `models.embedding.model: auto` costs:
 *
 *     bun bench/embedder/auto-at-rest.ts [BINARY|-] [documents]
 *
 * Prints resident memory and CPU seconds of the server before documents come, while MiniLM makes their vectors, and
 * after it was unloaded, beside the same with `static`. Takes some minutes: the model is unloaded a minute after its last text.
 */
import { join } from "node:path";
import { createCorpus } from "../serving/corpus.ts";
import { show } from "../serving/figures.ts";
import { cpuSecondsOf } from "../serving/process-figures.ts";
import { commandOf, ingestAll, type Program, startProgram, temporaryFolder } from "../serving/program.ts";

const clients = 8;
const characters = 800;
/** The model is unloaded a minute after its last text. */
const restMs = 180_000;
const watchMs = 20_000;
const count = Number(process.argv[3] ?? 300);

const showState = async (program: Program, when: string): Promise<void> =>
  show(
    when,
    `${(await program.residentMb()).toFixed(0)} MB resident, ${cpuSecondsOf(program.pid).toFixed(1)} CPU seconds`,
  );

const pendingIn = async (program: Program): Promise<number> => {
  const status = await fetch(`${program.url}/api/embedder`, { headers: program.headers });
  return ((await status.json()) as { pending: number }).pending;
};

const folder = temporaryFolder();
try {
  for (const model of ["static", "auto"]) {
    const corpus = createCorpus(11);
    const documents = Array.from({ length: count }, (_, at) => ({ name: `${at}`, text: corpus.document(characters) }));
    process.env.CARREL_MODELS_EMBEDDING_MODEL = model;
    const program = await startProgram(commandOf(process.argv[2]), join(folder.path, model));
    await Bun.sleep(3_000);
    await showState(program, `${model}: before`);
    await ingestAll(program, documents, clients);
    await showState(program, `${model}: ${count} documents taken in`);
    let most = 0;
    while ((await pendingIn(program)) > 0) {
      most = Math.max(most, await program.residentMb());
      await Bun.sleep(250);
    }
    await showState(program, `${model}: all vectors there (at most ${most.toFixed(0)} MB on the way)`);
    await Bun.sleep(restMs);
    await showState(program, `${model}: three minutes later`);
    const before = cpuSecondsOf(program.pid);
    await Bun.sleep(watchMs);
    show(`${model}: CPU seconds in ${watchMs / 1_000} s at rest`, (cpuSecondsOf(program.pid) - before).toFixed(2));
    await program.stop();
  }
} finally {
  folder.remove();
}
