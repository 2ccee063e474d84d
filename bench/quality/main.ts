import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { serverCollections } from "../../src/commands/eval/collections.ts";
import type { Collections, Legs } from "../../src/evaluation/collection.ts";
import { type MeasureOptions, measureSet, rankingRun } from "../../src/evaluation/measure.ts";
import type { SetResult } from "../../src/evaluation/run-file.ts";
import { type EvaluationSet, readSets } from "../../src/evaluation/sets.ts";
import { binaryCollections } from "./binary.ts";
import { evenly } from "./gate/chosen-documents.ts";
import { createInProcessCollections, embeddingOf } from "./in-process.ts";
import { reportTable } from "./report.ts";

const usage = `Measures how well questions are answered.

  bun bench/quality/main.ts FOLDER [--set NAME]… [--model static|minilm] [--config FILE] [--vectors FOLDER]
                             [--questions N] [--json FILE]
  bun bench/quality/main.ts FOLDER --binary dist/carrel [--model static|minilm] [--config FILE]
  bun bench/quality/main.ts FOLDER --server http://127.0.0.1:7373 (its key in CARREL_ADMIN_KEY)

FOLDER holds a folder for each set: corpus.jsonl, queries.jsonl, qrels/test.tsv and perhaps answers.jsonl (BEIR's
layout), or questions.jsonl and corpora/ with the long documents its excerpts are from. The embeddings are those of
--model, or of a settings file.

Without --binary and --server all is measured in process, as the server does it: the vectors of another model than the
static one stand beside its vectors. Full text and the model's vectors are also
measured by themselves. --questions takes so many of each set, from all places. --vectors keeps the model's vectors in a folder, for this run and others. With --binary the
program is started, over an empty store for each set, and asked by HTTP; full text and vectors by themselves are
measured in process beside it, so build the program from the same tree. With --server a running one is asked by HTTP,
each set in a partition of its own.`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true },
    model: { type: "string", default: "static" },
    config: { type: "string" },
    vectors: { type: "string" },
    questions: { type: "string", default: "100000" },
    binary: { type: "string" },
    server: { type: "string" },
    json: { type: "string" },
  },
});

const [folder] = positionals;
if (folder === undefined || !["static", "minilm"].includes(values.model)) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const note = (text: string): void => void process.stderr.write(`${text}\n`);
const options: MeasureOptions = { answersFromModels: false, onProgress: () => {}, onNote: note };
const { model, config, vectors } = values;
const embeddings = { model, config, vectors };

/** One for all sets: MiniLM is loaded once. */
const embeddingModel = await embeddingOf(embeddings);

const makeCollections = (): Collections => {
  const { binary, server } = values;
  if (binary !== undefined) return binaryCollections(resolve(binary), embeddings, note);
  if (server === undefined) return createInProcessCollections(embeddingModel);
  return serverCollections(server, process.env.CARREL_ADMIN_KEY ?? "", new AbortController().signal, note);
};

/** Full text and vectors by themselves: no request can ask for that. */
const legsAlone = async (set: EvaluationSet): Promise<SetResult["runs"]> => {
  const collections = createInProcessCollections(embeddingModel);
  try {
    const collection = await collections.ingest(set.name, set.documents);
    const run = (legs: Legs) => rankingRun(set, collection, legs, () => {});
    return { text: await run("text"), vectors: await run("vectors") };
  } finally {
    await collections.close();
  }
};

const wanted = Number(values.questions);
const all = (await readSets(folder)).map((set) => ({ ...set, questions: evenly(set.questions, wanted) }));
const results: SetResult[] = [];
for (const set of all.filter(({ name }) => values.set === undefined || values.set.includes(name))) {
  const collections = makeCollections();
  try {
    const result = await measureSet(collections, set, all, options);
    if (values.binary !== undefined) Object.assign(result.runs, await legsAlone(set));
    results.push(result);
    note(`${set.name} done`);
  } finally {
    await collections.close();
  }
}
process.stdout.write(`${reportTable(results)}\n`);
if (values.json !== undefined) await Bun.write(values.json, JSON.stringify(results));
process.exit(0);
