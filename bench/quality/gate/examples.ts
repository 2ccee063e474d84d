import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readSets } from "../../../src/evaluation/sets.ts";
import { embeddingOf } from "../in-process.ts";
import { askQuestion, type Beside } from "./ask-question.ts";
import { questionsOf } from "./asked-questions.ts";
import { chooseDocuments } from "./chosen-documents.ts";
import { withFilledStore } from "./filled-store.ts";
import type { ExampleLine } from "./read-examples.ts";

const usage = `Asks the questions of sets, with the documents that answer them and without, and writes the judge's features.

  bun bench/quality/gate/examples.ts FOLDER… --to FOLDER [--minilm | --config FILE] [--documents N] [--about N] [--questions N]
                                     [--among FOLDER…]

Each FOLDER is a set or holds sets (docs/evaluation.md). --to gets a file of examples for each set; sets that have one are
left out. With --minilm each question is asked three times: with static vectors alone, with MiniLM's beside them, and with
MiniLM's as an outside server gives them. With --config it is asked twice: with static vectors, and with those of the
file's model server beside them. A model's vectors stay in --vectors. --documents takes whole articles (documents of one title) at random until there
are N: how the judge behaves in small stores. --among adds the documents of other sets: how it behaves in larger ones; and
--about asks about the first N alone, so that stores of several sizes are asked the same. --questions of the set are asked.
An absent question is one whose whole article is left out, with its near-duplicates, or was not among the documents taken.`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    to: { type: "string" },
    minilm: { type: "boolean", default: false },
    config: { type: "string" },
    vectors: { type: "string" },
    documents: { type: "string", default: "400" },
    about: { type: "string" },
    questions: { type: "string", default: "160" },
    among: { type: "string", multiple: true, default: [] },
  },
});
if (positionals.length === 0 || values.to === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const { to } = values;
const fixed = await embeddingOf({ model: "static", config: undefined });
const { config, vectors = join(to, "vectors") } = values;
const modelBeside = async (): Promise<Beside | null> => {
  if (!values.minilm && config === undefined) return null;
  const model = await embeddingOf({ model: "minilm", config, vectors });
  return { model, tiers: config === undefined ? ["minilm", "outside"] : ["outside"] };
};
const model = await modelBeside();
const readAll = async (folders: readonly string[]) => (await Promise.all(folders.map(readSets))).flat();

await mkdir(to, { recursive: true });
const sets = await readAll(positionals);
const beside = (await readAll(values.among)).flatMap(({ name, documents }) =>
  documents.filter(({ text }) => text.trim() !== "").map((document) => ({ ...document, id: `${name}/${document.id}` })),
);
for (const set of sets) {
  const file = Bun.file(join(to, `${set.name}.jsonl`));
  if (await file.exists()) continue;
  const began = process.cpuUsage();
  const chosen = chooseDocuments(set.documents, Number(values.documents));
  const documents = [...chosen, ...beside];
  const about = new Set(chosen.slice(0, Number(values.about ?? chosen.length)).map(({ id }) => id));
  const others = sets.filter(({ name }) => name !== set.name);
  const questions = await questionsOf(set, documents, about, others, Number(values.questions));
  const lines = await withFilledStore(documents, fixed, model?.model ?? null, async (store) => {
    const all: ExampleLine[] = [];
    for (const question of questions)
      for (const line of await askQuestion(store, question, fixed, model)) all.push({ set: set.name, ...line });
    return all;
  });
  await Bun.write(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const seconds = Math.round(process.cpuUsage(began).user / 1e6);
  process.stderr.write(`${set.name}: ${documents.length} documents, ${lines.length} examples, ${seconds} s of a CPU\n`);
}
process.exit(0);
