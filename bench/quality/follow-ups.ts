/**
 * Follow-ups and changes of topic: how often the right documents are among the first five, with and without the turns
 * before the question; built-in static vectors, no model:
 *
 *     bun bench/quality/follow-ups.ts FOLDER… [--set NAME]… [--cache FOLDER]
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { estimate } from "../../src/evaluation/estimates.ts";
import { readSets } from "../../src/evaluation/sets.ts";
import { type Dialogue, dialoguesOf } from "./dialogues.ts";
import { openSet, type Search } from "./memory/open-set.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true, default: [""] },
    cache: { type: "string", default: join(tmpdir(), "carrel-vectors") },
  },
});
/** Dialogues of each kind and set. */
const maxDialogues = 150;

const percent = (value: number): string => (100 * value).toFixed(1);

const recall = async (dialogues: readonly Dialogue[], search: Search, withTurns: boolean): Promise<string> => {
  const found: number[] = [];
  for (const { first, answer, next, asked } of dialogues.slice(0, maxDialogues)) {
    const turns = [
      { role: "user" as const, text: first },
      { role: "assistant" as const, text: answer },
    ];
    const pieces = await search(asked, withTurns ? turns : []);
    found.push(next.score({ pieces, refusedAbove: 1 }).recall5);
  }
  const { mean, low, high } = estimate(found);
  return `${percent(mean)} [${percent(low)}, ${percent(high)}]`;
};

const print = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
print([
  "set",
  "answers",
  "follow-up alone",
  "with the turns before it",
  "another topic alone",
  "with the turns before it",
]);
print(Array<string>(6).fill("---"));
const index = await createStaticEmbedding();
for (const set of (await Promise.all(positionals.map(readSets))).flat()) {
  if (!values.set.some((start) => set.name.startsWith(start))) continue;
  const search = (await openSet(set, { index, model: null }, values.cache)).fused(0);
  for (const isLong of [false, true]) {
    const { followUps, changes } = dialoguesOf(set, isLong);
    if (followUps.length === 0) continue;
    const cells: string[] = [];
    for (const dialogues of [followUps, changes])
      for (const withTurns of [false, true]) cells.push(await recall(dialogues, search, withTurns));
    print([set.name, isLong ? "long" : "a sentence", ...cells]);
  }
}
process.exit(0);
