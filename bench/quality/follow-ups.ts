/**
 * Follow-ups and changes of topic: how often the right documents are among the first five, with and without the turns
 * before the question; built-in static vectors, no model:
 *
 *     bun bench/quality/follow-ups.ts FOLDER… [--set NAME]… [--answers KIND]… [--cache FOLDER] [--json FILE]
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { estimate } from "../../src/evaluation/estimates.ts";
import { readSets } from "../../src/evaluation/sets.ts";
import { answerKinds, createAnswers, type Turn } from "./dialogue-answers.ts";
import { type Dialogue, dialoguesOf, kinds } from "./dialogues.ts";
import { openSet, type Search } from "./memory/open-set.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true, default: [""] },
    answers: { type: "string", multiple: true, default: [...answerKinds] },
    cache: { type: "string", default: join(tmpdir(), "carrel-vectors") },
    json: { type: "string" },
  },
});
/** Dialogues of each kind and set. */
const maxDialogues = 60;
/** Snippets asked for: documents among the first five count, and an answer is quoted from six. */
const snippets = 12;
/** A set with fewer says nothing of the kind. */
const minDialogues = 20;

/** Part of the right documents that is found for a dialogue. */
interface Outcome {
  asked: string;
  turns: Turn[];
  wanted: string;
  recall5: number;
}

const outcomesOf = async (
  dialogues: readonly Dialogue[],
  search: Search,
  turnsOf: (dialogue: Dialogue) => Promise<Turn[]>,
): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const dialogue of dialogues.slice(0, maxDialogues)) {
    const { next, asked } = dialogue;
    const turns = await turnsOf(dialogue);
    const pieces = await search(asked, turns);
    outcomes.push({ asked, turns, wanted: next.text, recall5: next.score({ pieces, refusedAbove: 1 }).recall5 });
  }
  return outcomes;
};

/** Asks the same only once: dialogues begin with the same questions. */
const once = (search: Search): Search => {
  const known = new Map<string, ReturnType<Search>>();
  return (question, history = []) => {
    const key = JSON.stringify([question, history]);
    const found = known.get(key) ?? search(question, history);
    known.set(key, found);
    return found;
  };
};

const percent = (value: number): string => (100 * value).toFixed(1);
const shown = (found: readonly number[]): string => {
  const { mean, low, high } = estimate(found);
  return `${percent(mean)} [${percent(low)}, ${percent(high)}]`;
};
const print = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
print(["set", "next question", "dialogues", "alone", ...values.answers.map((answer) => `after ${answer}`)]);
print(Array<string>(4 + values.answers.length).fill("---"));
const index = await createStaticEmbedding();
const all: Record<string, Outcome[]> = {};
for (const set of (await Promise.all(positionals.map(readSets))).flat()) {
  if (!values.set.some((start) => set.name.startsWith(start))) continue;
  const search = once((await openSet({ ...set, snippets }, { index, model: null }, values.cache)).fused(0));
  const dialogues = dialoguesOf(set);
  for (const kind of kinds) {
    if (dialogues[kind].length < minDialogues) continue;
    const outcomes = { alone: await outcomesOf(dialogues[kind], search, async () => []) } as Record<string, Outcome[]>;
    for (const answer of answerKinds.filter((one) => values.answers.includes(one)))
      outcomes[answer] = await outcomesOf(dialogues[kind], search, createAnswers(set, search, answer));
    for (const [answer, found] of Object.entries(outcomes)) all[`${set.name} ${kind} ${answer}`] = found;
    const cells = Object.values(outcomes).map((found) => shown(found.map(({ recall5 }) => recall5)));
    print([set.name, kind, String(outcomes.alone?.length), ...cells]);
  }
}
if (values.json !== undefined) await Bun.write(values.json, JSON.stringify(all));
process.exit(0);
