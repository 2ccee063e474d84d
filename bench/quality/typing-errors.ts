/**
 * Questions with one wrong letter: how often they are refused and find the right document first, with the documents' words
 * in place of typing errors and without; and what that does to questions without an error, and to those that have no answer.
 * Built-in static vectors, the coefficients in use:
 *
 *     bun bench/quality/typing-errors.ts FOLDER… [--documents N] [--show]
 *
 * Of each set whole articles are taken until there are N documents; questions about the others are absent.
 */
import { parseArgs } from "node:util";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { readSets } from "../../src/evaluation/sets.ts";
import { assess } from "../../src/retrieval/assess.ts";
import type { RetrievalRequest } from "../../src/retrieval/contract.ts";
import { asDocumentsSpell } from "../../src/retrieval/conversation-terms.ts";
import { find } from "../../src/retrieval/find.ts";
import { judgeReadings } from "../../src/retrieval/judge/judge.ts";
import { fuse } from "../../src/retrieval/scores/fuse.ts";
import { weightsFor } from "../../src/retrieval/scores/vector-score.ts";
import { wholeTenant } from "../../src/store/contract.ts";
import { analyzeQuery } from "../../src/text/analysis/analyze.ts";
import { silent } from "../../tools/samples/snippets.ts";
import { randomSnippets } from "./gate/ask-question.ts";
import { isAnsweredBy, thereAndAbsent } from "./gate/asked-questions.ts";
import { chooseDocuments, evenly } from "./gate/chosen-documents.ts";
import { withFilledStore } from "./gate/filled-store.ts";
import { shareWithInterval, wish } from "./gate/tables.ts";
import { mistyped } from "./mistyped.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    documents: { type: "string", default: "120" },
    "key-words": { type: "boolean", default: false },
    show: { type: "boolean", default: false },
  },
});
/** Questions of each kind and set. */
const maxQuestions = 150;
const forever = new AbortController().signal;
const fixed = await createStaticEmbedding();

interface Outcome {
  isRefused: boolean;
  isFirst: boolean;
  isChanged: boolean;
}

const outcomes = new Map<string, Outcome[]>();
const print = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
const printRow = (set: string, kind: string, all: readonly Outcome[]): void =>
  print([
    set,
    kind,
    String(all.length),
    String(all.filter(({ isChanged }) => isChanged).length),
    shareWithInterval(all.map((each) => each.isRefused)),
    shareWithInterval(all.map(({ isFirst }) => isFirst)),
  ]);
print(["set", "question", "questions", "changed", "refused", "right document first"]);
print(Array<string>(6).fill("---"));

for (const set of (await Promise.all(positionals.map(readSets))).flat()) {
  const documents = chooseDocuments(set.documents, Number(values.documents));
  const questions = thereAndAbsent(set, documents);
  const there = evenly(
    questions.there.filter(({ text }) => mistyped(text) !== null),
    maxQuestions,
  );
  const absent = evenly(questions.absent, maxQuestions);
  await withFilledStore(documents, fixed, null, async ({ view, tenant, snippets, recordOf }) => {
    const random = snippets.slice(0, randomSnippets);
    const deps = { embeddings: () => fixed, vectorModelFor: () => null, log: silent };
    const idOf = new Map([...recordOf].map(([id, record]) => [record, id]));
    /** Its words without those between them, as people search by key words. */
    const keyWords = (text: string): string =>
      analyzeQuery(text)
        .words.map(({ written }) => written)
        .join(" ");
    const ask = async (text: string, question: (typeof there)[number], isSpelled: boolean): Promise<Outcome> => {
      const query = values["key-words"] ? keyWords(text) : text;
      const asked: RetrievalRequest = { ...wholeTenant, query, history: [], limit: 6 };
      const { request, replaced } = isSpelled
        ? await asDocumentsSpell(view, tenant, asked)
        : { request: asked, replaced: [] };
      if (values.show) for (const { written, meant } of replaced) process.stderr.write(`${written} → ${meant}\n`);
      const found = await find(deps, { of: async () => random }, view, tenant, request, forever);
      const { candidates, readings } = await assess(found, request);
      const weights = weightsFor(query, { index: found.vectorLeg.weight, model: found.modelLeg.weight });
      const best = fuse(candidates, weights)[0]?.hit.documentId;
      return {
        isRefused: judgeReadings(readings).refusedAbove < wish,
        isFirst: isAnsweredBy(question, [idOf.get(best ?? "") ?? ""]),
        isChanged: replaced.length > 0,
      };
    };
    for (const [kind, questions, textOf] of [
      ["as it is", there, (text: string) => text],
      ["with a wrong letter", there, (text: string) => mistyped(text) ?? text],
      ["absent", absent, (text: string) => text],
    ] as const)
      for (const isSpelled of [false, true]) {
        const own: Outcome[] = [];
        for (const question of questions) own.push(await ask(textOf(question.text), question, isSpelled));
        const name = isSpelled ? `${kind}, corrected` : kind;
        if (own.length > 0) printRow(set.name, name, own);
        outcomes.set(name, [...(outcomes.get(name) ?? []), ...own]);
      }
  });
}
for (const [kind, all] of outcomes) printRow("**all**", kind, all);
process.exit(0);
