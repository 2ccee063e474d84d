/**
 * Follow-ups that people wrote in conversations: how often the passages that answer them are among the first five, alone and
 * with the turns before them; built-in static vectors, no model:
 *
 *     bun bench/quality/people-dialogues.ts FILE [--cache FOLDER] [--misses]
 *
 * FILE: the tasks of MTRAG-UN with their passages (github.com/IBM/mt-rag-benchmark, Apache-2.0:
 * mtragun-human/generation_tasks/reference.jsonl). Each passage is a document; what is asked of one collection is searched
 * among the passages of all.
 */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { estimate } from "../../src/evaluation/estimates.ts";
import { openSet } from "./memory/open-set.ts";

interface Passage {
  document_id: string;
  text: string;
}

interface Task {
  task_id: string;
  contexts: Passage[];
  input: { speaker: "user" | "agent"; text: string }[];
  "Multi-Turn": string[];
  Collection: string;
}

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    cache: { type: "string", default: join(tmpdir(), "carrel-vectors") },
    misses: { type: "boolean", default: false },
  },
});
const [file] = positionals;
if (file === undefined) throw new Error("bun bench/quality/people-dialogues.ts FILE");

const tasks = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Task);
const texts = new Map(tasks.flatMap(({ contexts }) => contexts.map(({ document_id, text }) => [document_id, text])));
const documents = [...texts].map(([id, text]) => ({ id, title: "", text }));
const index = await createStaticEmbedding();
const set = { name: "people", documents, questions: [], absent: [], snippets: 12 };
const search = (await openSet(set, { index, model: null }, values.cache)).fused(0);

/** The part of the right passages, of five at most, that is among the first five found. */
const recallOf = async (task: Task, turns: Parameters<typeof search>[1]): Promise<number> => {
  const asked = task.input.at(-1)?.text ?? "";
  const pieces = await search(asked, turns);
  const found = new Set([...new Set(pieces.map(({ document }) => document))].slice(0, 5));
  const wanted = new Set(task.contexts.map(({ document_id }) => document_id));
  return [...wanted].filter((id) => found.has(id)).length / Math.min(5, wanted.size);
};

const turnsOf = ({ input }: Task) =>
  input
    .slice(0, -1)
    .map(({ speaker, text }) => ({ role: speaker === "user" ? ("user" as const) : ("assistant" as const), text }));

const rows = new Map<string, { alone: number[]; after: number[] }>();
for (const task of tasks) {
  if (task.contexts.length === 0) continue;
  const [alone, after] = [await recallOf(task, []), await recallOf(task, turnsOf(task))];
  const isFirst = task.input.length === 1;
  const kinds = isFirst
    ? ["first question"]
    : ["after others", `${task.Collection}, after others`, ...task["Multi-Turn"]];
  for (const kind of kinds) {
    const row = rows.get(kind) ?? { alone: [], after: [] };
    rows.set(kind, row);
    row.alone.push(alone);
    row.after.push(after);
  }
  if (values.misses && !isFirst && after < alone)
    process.stdout.write(
      `${task.task_id} ${alone} -> ${after}: ${turnsOf(task).at(-2)?.text} / ${task.input.at(-1)?.text}\n`,
    );
}

const shown = (found: readonly number[]): string => {
  const { mean, low, high } = estimate(found);
  return `${(100 * mean).toFixed(1)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
};
process.stdout.write("| asked | questions | recall@5 alone | with the turns before |\n| --- | --- | --- | --- |\n");
for (const [kind, { alone, after }] of rows)
  process.stdout.write(`| ${kind} | ${alone.length} | ${shown(alone)} | ${shown(after)} |\n`);
process.exit(0);
