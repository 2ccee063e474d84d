/**
 * What a question costs over the LanceDB calls that it makes, asked over an evaluation set:
 *
 *     bun bench/serving/set.ts FOLDER [BINARY]
 *
 * FOLDER is a set (corpus.jsonl, queries.jsonl, qrels/test.tsv, or questions.jsonl and corpora/). BINARY is
 * `dist/carrel`; without it the program runs from source. The embedding model is the static one, unless
 * CARREL_MODELS_EMBEDDING_MODEL names another. Asked after a restart.
 */
import { readSets } from "../../src/evaluation/sets.ts";
import { compareQuestions } from "./compare-questions.ts";
import { show } from "./figures.ts";
import { commandOf, ingestAll, type Program, startProgram, temporaryFolder } from "./program.ts";

const clientCount = 16;
process.env.CARREL_MODELS_EMBEDDING_MODEL ??= "static";

const [setFolder, binary] = process.argv.slice(2);
if (setFolder === undefined) throw new Error("usage: bun bench/serving/set.ts FOLDER [BINARY]");
const command = commandOf(binary);
const [set] = await readSets(setFolder);
if (set === undefined) throw new Error(`${setFolder} holds no set`);

const folder = temporaryFolder();
let program: Program | null = null;
const start = async (): Promise<Program> => {
  program = await startProgram(command, folder.path);
  return program;
};
try {
  const first = await start();
  const documents = set.documents.map(({ id, title, text }) => ({ name: title || id, text }));
  await ingestAll(first, documents, clientCount);
  await first.stop();
  show(set.name, `${set.documents.length} documents, ${set.questions.length} questions`);
  await compareQuestions(
    folder.path,
    start,
    set.questions.map(({ text }) => text),
  );
} finally {
  await (program as Program | null)?.stop();
  folder.remove();
}
