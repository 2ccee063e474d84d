/**
 * The judge in a chat: how often it refuses a question that has an answer, after questions about something else or about the
 * same, and one that has none, beside the same questions alone. Built-in static vectors, the coefficients in use:
 *
 *     bun bench/quality/gate/chats.ts FOLDER… [--documents N] [--answers KIND]
 *
 * Of each set whole articles are taken until there are N documents; questions about the others are absent. The next question
 * is about the same document (what is left of it without names and the words before it), about the same article whole, about
 * something else (`change`), or absent.
 */
import { parseArgs } from "node:util";
import { createStaticEmbedding } from "../../../providers/builtin/static/embedding.ts";
import { type EvaluationSet, readSets } from "../../../src/evaluation/sets.ts";
import { assess } from "../../../src/retrieval/assess.ts";
import type { RetrievalRequest } from "../../../src/retrieval/contract.ts";
import { find } from "../../../src/retrieval/find.ts";
import { judgeReadings } from "../../../src/retrieval/judge/judge.ts";
import { wholeTenant } from "../../../src/store/contract.ts";
import { silent } from "../../../tools/samples/snippets.ts";
import { type AnswerKind, createAnswers, type Turn } from "../dialogue-answers.ts";
import { type Answered, dialoguesOf } from "../dialogues.ts";
import { randomSnippets } from "./ask-question.ts";
import { thereAndAbsent } from "./asked-questions.ts";
import { chooseDocuments, evenly } from "./chosen-documents.ts";
import { withFilledStore } from "./filled-store.ts";
import { shareWithInterval, wish } from "./tables.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    documents: { type: "string", default: "120" },
    answers: { type: "string", default: "long" },
  },
});
/** Dialogues of each kind and set. */
const maxDialogues = 100;
const forever = new AbortController().signal;
const fixed = await createStaticEmbedding();

interface Asked {
  before: readonly Answered[];
  text: string;
}

/** Questions that come after others, by what they are about. */
const askedOf = (taken: EvaluationSet, absent: readonly string[]): Map<string, Asked[]> => {
  const { document, change } = dialoguesOf(taken);
  const follow = evenly(document, maxDialogues).map(({ before, asked }) => ({ before, text: asked }));
  const whole = evenly(document, maxDialogues).map(({ before, next }) => ({ before, text: next.text }));
  const changes = evenly(change, maxDialogues);
  const nowhere = evenly(absent, changes.length);
  return new Map([
    ["follow-up", follow],
    ["same document", whole],
    ["change", changes.map(({ before, asked }) => ({ before, text: asked }))],
    ["absent", nowhere.flatMap((text, at): Asked[] => (changes[at] ? [{ before: changes[at].before, text }] : []))],
  ]);
};

const refusals = new Map<string, { inChat: boolean[]; alone: boolean[] }>();
const print = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
print(["set", "next question", "questions", "refused in the chat", "alone"]);
print(Array<string>(5).fill("---"));
const printRow = (set: string, kind: string, { inChat, alone }: { inChat: boolean[]; alone: boolean[] }): void =>
  print([set, kind, String(inChat.length), shareWithInterval(inChat), shareWithInterval(alone)]);

for (const set of (await Promise.all(positionals.map(readSets))).flat()) {
  const documents = chooseDocuments(set.documents, Number(values.documents));
  const { there, absent } = thereAndAbsent(set, documents);
  const taken = { ...set, documents, questions: there };
  const turnsOf = createAnswers(
    taken,
    () => Promise.reject(new Error("nothing is quoted")),
    values.answers as AnswerKind,
  );
  await withFilledStore(documents, fixed, null, async ({ view, tenant, snippets }) => {
    const random = snippets.slice(0, randomSnippets);
    const deps = { embeddings: () => fixed, vectorModelFor: () => null, log: silent };
    const refuses = async (query: string, history: Turn[]): Promise<boolean> => {
      const request: RetrievalRequest = { ...wholeTenant, query, history, limit: 6 };
      const found = await find(deps, { of: async () => random }, view, tenant, request, forever);
      const { readings } = await assess(found, request);
      return judgeReadings(readings).refusedAbove < wish;
    };
    for (const [kind, asked] of askedOf(
      taken,
      absent.map(({ text }) => text),
    )) {
      const own: { inChat: boolean[]; alone: boolean[] } = { inChat: [], alone: [] };
      for (const { before, text } of asked) {
        const next = taken.questions[0];
        if (next === undefined) continue;
        own.inChat.push(await refuses(text, await turnsOf({ before, next, asked: text })));
        own.alone.push(await refuses(text, []));
      }
      if (own.inChat.length > 0) printRow(set.name, kind, own);
      const all = refusals.get(kind) ?? { inChat: [], alone: [] };
      refusals.set(kind, { inChat: [...all.inChat, ...own.inChat], alone: [...all.alone, ...own.alone] });
    }
  });
}
for (const [kind, all] of refusals) printRow("**all**", kind, all);
process.exit(0);
