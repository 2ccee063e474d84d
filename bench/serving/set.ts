/**
 * What a question costs over the LanceDB calls that it makes, asked over an evaluation set:
 *
 *     bun bench/serving/set.ts FOLDER [BINARY]
 *
 * FOLDER is a set (corpus.jsonl, queries.jsonl, qrels/test.tsv, or questions.jsonl and corpora/). BINARY is
 * `dist/carrel`; without it the program runs from source.
 */
import { join, resolve } from "node:path";
import { readSets } from "../../src/evaluation/sets.ts";
import { compareQuestions, show } from "./compare-questions.ts";
import { type Program, post, startProgram, temporaryFolder } from "./program.ts";

const CLIENTS = 16;

const [setFolder, binary] = process.argv.slice(2);
if (setFolder === undefined) throw new Error("usage: bun bench/serving/set.ts FOLDER [BINARY]");
const command = binary ? [resolve(binary)] : [process.execPath, join(import.meta.dir, "..", "..", "src", "main.ts")];
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
  const documents = set.documents.values();
  const client = async () => {
    for (const { id, title, text } of documents) await post(first, "/api/ingest", { name: title || id, text });
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
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
