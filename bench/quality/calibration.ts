import { parseArgs } from "node:util";
import { inParallel } from "../../src/async/in-parallel.ts";
import { calibrate, TooFewDocuments } from "../../src/evaluation/calibrate.ts";
import type { Collections, SourceDocument } from "../../src/evaluation/collection.ts";
import type { Estimate } from "../../src/evaluation/estimates.ts";
import { maxFalseRefusals } from "../../src/evaluation/figures.ts";
import { shareBelow } from "../../src/evaluation/refusal.ts";
import { type EvaluationSet, readSets } from "../../src/evaluation/sets.ts";
import { createInProcessCollections, embeddingOf } from "./in-process.ts";

const usage = `Compares what \`carrel eval --calibrate\` recommends with what people's own questions show.

  bun bench/quality/calibration.ts FOLDER [--set NAME]… [--model static|minilm]

For each set in BEIR's layout, the threshold is fitted to its documents alone. Then its questions are asked: with all
documents there (refused wrongly), and with those that answer left out, for half of the documents (refused rightly).`;

/** Questions of each set that are asked, about. */
const wantedQuestions = 400;
const snippets = 5;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { set: { type: "string", multiple: true }, model: { type: "string", default: "static" } },
});
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const model = await embeddingOf({ model: values.model, config: undefined });
const makeCollections = (): Collections => createInProcessCollections(model);

/** How sure it is of each question, over these documents. */
const confidences = async (documents: readonly SourceDocument[], questions: readonly string[]): Promise<number[]> => {
  const collections = makeCollections();
  try {
    const collection = await collections.ingest("calibration", documents);
    const search = (text: string) => collection.search(text, snippets, "fused");
    return (await inParallel(questions, collection.maxAtOnce, search)).map(({ refusedAbove }) => refusedAbove);
  } finally {
    await collections.close();
  }
};

const isLeftOut = (id: string): boolean => Bun.hash.crc32(id) % 2 === 1;

/** The documents that a question's score counts: those that alone would give it any recall. */
const relevantOf = (set: EvaluationSet, question: EvaluationSet["questions"][number]): string[] =>
  set.documents
    .map(({ id }) => id)
    .filter((document) => question.score({ pieces: [{ document, start: 0, end: 1 }], refusedAbove: 1 }).recall5 > 0);

const percent = (part: number): string => (part * 100).toFixed(1);
const interval = ({ mean, low, high }: Estimate): string => `${percent(mean)} [${percent(low)}, ${percent(high)}]`;

const lines = [
  "| set | threshold | made questions: refused though there / as not there | real ones: refused though there / as not there |",
  "|---|---|---|---|",
];
const sets = await readSets(folder);
for (const set of sets.filter(({ name }) => values.set === undefined || values.set.includes(name))) {
  const documents = set.documents.filter(({ text }) => text.trim() !== "");
  const found = await calibrate(documents, makeCollections, maxFalseRefusals, 0.5, () => {}).catch((error: unknown) => {
    if (error instanceof TooFewDocuments) return null;
    throw error;
  });
  if (found === null) continue;
  const step = Math.max(1, Math.floor(set.questions.length / wantedQuestions));
  const questions = set.questions.filter((_, index) => index % step === 0);
  const there = await confidences(
    documents,
    questions.map(({ text }) => text),
  );
  const unanswered = questions.filter((question) => relevantOf(set, question).every(isLeftOut));
  const notThere = await confidences(
    documents.filter(({ id }) => !isLeftOut(id)),
    unanswered.map(({ text }) => text),
  );
  const { threshold, heldOut } = found;
  const real = `${percent(shareBelow(there, threshold))} / ${percent(shareBelow(notThere, threshold))}`;
  lines.push(
    `| ${set.name} | ${threshold.toFixed(2)} | ${interval(heldOut.falseRefusals)} / ${interval(heldOut.trueRefusals)} | ${real} |`,
  );
  process.stderr.write(`${set.name} done\n`);
}
process.stdout.write(`${lines.join("\n")}\n`);
process.exit(0);
