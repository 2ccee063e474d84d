/**
 * What a running server refuses, as it comes to it: documents are taken in, their vectors follow, it calibrates itself, and
 * questions are asked over HTTP, those that its documents answer and those that only the rest of the set does:
 *
 *     CARREL_MODELS_EMBEDDING_PROVIDER=ollama CARREL_MODELS_EMBEDDING_MODEL=all-minilm \
 *       bun bench/quality/gate/served.ts BINARY|- SET… [--documents N] [--questions N]
 */
import { parseArgs } from "node:util";
import { readSets } from "../../../src/evaluation/sets.ts";
import {
  commandOf,
  type Program,
  post,
  sendBatch,
  startProgram,
  temporaryFolder,
  untilProcessed,
} from "../../serving/program.ts";
import { untilVectors } from "../../serving/until-vectors.ts";
import { thereAndAbsent } from "./asked-questions.ts";
import { chooseDocuments, evenly } from "./chosen-documents.ts";
import { shareWithInterval } from "./shares.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { documents: { type: "string", default: "120" }, questions: { type: "string", default: "300" } },
});
const [binary, ...folders] = positionals;
if (folders.length === 0) throw new Error("usage: bun bench/quality/gate/served.ts BINARY|- SET…");
const pollMs = 500;
/** A calibration takes less: after so long without a change of a question's confidence there is none under way. */
const settledMs = 60_000;
/** Each question makes a calibration that is under way wait. */
const lookEveryMs = 10_000;

interface Answer {
  relevantSnippets: unknown[];
  receipt: { confidence: number };
}
const ask = async (program: Program, query: string): Promise<Answer> =>
  (await post(program, "/api/query", { query })) as Answer;

const untilSettled = async (program: Program, query: string): Promise<void> => {
  let last = Number.NaN;
  for (let since = performance.now(); performance.now() - since < settledMs; await Bun.sleep(lookEveryMs)) {
    const { confidence } = (await ask(program, query)).receipt;
    if (confidence !== last) since = performance.now();
    last = confidence;
  }
};

const print = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
print(["set", "documents", "absent: refused", "there: refused"]);
print(Array<string>(4).fill("---"));
for (const set of (await Promise.all(folders.map(readSets))).flat()) {
  const documents = chooseDocuments(set.documents, Number(values.documents));
  const { there, absent } = thereAndAbsent(set, documents);
  const folder = temporaryFolder();
  const program = await startProgram(commandOf(binary), folder.path);
  try {
    await sendBatch(
      program,
      documents.map(({ id, title, text }) => ({ name: title || id, text })),
    );
    await untilProcessed(program, documents.length);
    await untilVectors(program, pollMs);
    await untilSettled(program, there[0]?.text ?? "");
    const refused: string[] = [];
    for (const questions of [absent, there]) {
      const isRefused: boolean[] = [];
      for (const { text } of evenly(questions, Number(values.questions)))
        isRefused.push((await ask(program, text)).relevantSnippets.length === 0);
      refused.push(shareWithInterval(isRefused));
    }
    print([set.name, String(documents.length), ...refused]);
  } finally {
    await program.stop();
    folder.remove();
  }
}
