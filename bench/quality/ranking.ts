import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { estimate, mean } from "../../src/evaluation/estimates.ts";
import { type EvaluationSet, readSets } from "../../src/evaluation/sets.ts";
import { embeddingOf } from "./in-process.ts";
import { openSet, type Search } from "./memory/open-set.ts";

const usage = `Compares orders of many sets in memory: plain BM25, full text, and the fusion while the vectors of a model come.

  bun bench/quality/ranking.ts FOLDER… [--set NAME]… [--model minilm | --config FILE] [--share 0.5]… [--cache FOLDER]

Without a model there are the built-in static vectors alone. With one, a part of the documents has its vectors: by default
none, a quarter, a half, three quarters, all. NAME may be the beginning of a name. The vectors that were made stay in the
cache's folder.`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true, default: [""] },
    model: { type: "string" },
    config: { type: "string" },
    share: { type: "string", multiple: true },
    cache: { type: "string", default: join(tmpdir(), "carrel-vectors") },
    json: { type: "string" },
  },
});
if (positionals.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

/** The rule: the fusion is at most this far below plain BM25, and below full text. */
const maxLoss = 0.005;

const index = await createStaticEmbedding();
const model =
  values.model === undefined && values.config === undefined
    ? null
    : await embeddingOf({ model: values.model ?? "static", config: values.config });
const shares = model === null ? [0] : (values.share ?? ["0", "0.25", "0.5", "0.75", "1"]).map(Number);

const percent = (value: number): string => (100 * value).toFixed(1);
/** Second minus first, with its 95 % interval. */
const gain = (first: readonly number[], second: readonly number[]): string => {
  const { mean: difference, low, high } = estimate(second.map((value, at) => value - (first[at] ?? 0)));
  return `${difference < 0 ? "" : "+"}${percent(difference)} [${percent(low)}, ${percent(high)}]`;
};

/** Of each question. */
interface Scores {
  ndcg10: number[];
  recall5: number[];
}

const scoresOf = async (set: EvaluationSet, search: Search): Promise<Scores> => {
  const scores: Scores = { ndcg10: [], recall5: [] };
  for (const { text, score } of set.questions) {
    const { ndcg10, recall5 } = score({ pieces: await search(text), refusedAbove: 1 });
    scores.ndcg10.push(ndcg10);
    scores.recall5.push(recall5);
  }
  return scores;
};

const chosen = (await Promise.all(positionals.map(readSets)))
  .flat()
  .filter(({ name }) => values.set.some((start) => name.startsWith(start)));
const columns = shares.map((share) => (model === null ? "fused" : `${100 * share} %`));
const print = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
const last = model === null ? "fused" : "all";
const comparesHalf = [0, 0.5].every((share) => shares.includes(share));
print([
  "set",
  "plain",
  "text",
  ...columns,
  "text − plain",
  `${last} − text`,
  `${last} − plain`,
  ...(comparesHalf ? ["half − none"] : []),
]);
print(["---", "---", "---", ...columns.map(() => "---"), "---", "---", "---", ...(comparesHalf ? ["---"] : [])]);
const below: Record<"plain BM25" | "full text", string[]> = { "plain BM25": [], "full text": [] };
const results: Record<string, { plain: Scores; text: Scores; fused: Scores[] }> = {};
const recalls: string[][] = [];
for (const set of chosen) {
  const opened = await openSet(set, { index, model }, values.cache);
  const found = { plain: await scoresOf(set, opened.plain), text: await scoresOf(set, opened.text) };
  const fusions: Scores[] = [];
  for (const share of shares) fusions.push(await scoresOf(set, opened.fused(share)));
  results[set.name] = { ...found, fused: fusions };
  const { ndcg10: plain } = found.plain;
  const { ndcg10: text } = found.text;
  const fused = fusions.map(({ ndcg10 }) => ndcg10);
  const recall5 = [found.plain, found.text, ...fusions].map((scores) => scores.recall5);
  recalls.push([
    set.name,
    ...recall5.map((scores) => percent(mean(scores))),
    gain(found.text.recall5, recall5.at(-1) ?? []),
  ]);
  const [none = [], half = []] = [fused[shares.indexOf(0)], fused[shares.indexOf(0.5)]];
  const all = fused.at(-1) ?? [];
  for (const [at, order] of fused.entries()) {
    for (const [name, other] of [["plain BM25", plain] as const, ["full text", text] as const])
      if (mean(order) < mean(other) - maxLoss) below[name].push(`${set.name} (${columns[at]}: ${gain(other, order)})`);
  }
  const steps = comparesHalf ? [gain(none, half)] : [];
  print([
    set.name,
    ...[plain, text, ...fused].map((scores) => percent(mean(scores))),
    gain(plain, text),
    gain(text, all),
    gain(plain, all),
    ...steps,
  ]);
}
process.stdout.write("\nThe same for recall@5:\n\n");
print(["set", "plain", "text", ...columns, `${last} − text`]);
print(["---", "---", "---", ...columns.map(() => "---"), "---"]);
for (const cells of recalls) print(cells);
for (const [name, sets] of Object.entries(below))
  process.stdout.write(
    `\nMore than ${percent(maxLoss)} below ${name}: ${sets.length === 0 ? "none" : sets.join(", ")}.\n`,
  );
if (values.json !== undefined) await Bun.write(values.json, JSON.stringify(results));
process.exit(0);
