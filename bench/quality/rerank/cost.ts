/**
 * What late interaction costs for a question, in CPU time, and its vectors in bytes:
 *
 *     bun bench/quality/rerank/cost.ts SET…
 */
import { mean } from "../../../src/evaluation/estimates.ts";
import { readSets } from "../../../src/evaluation/sets.ts";
import { embeddingInput } from "../../../src/text/chunk/embedding-input.ts";
import { snippetsOfSet } from "../memory/snippets-of-set.ts";
import { match } from "./max-sim.ts";
import { openTokenModel, width } from "./token-model.ts";

/** Questions asked; each has candidates of its own. */
const questions = 5;
/** Candidates of a question: all that are reranked, and the first of them. */
const reranked = 30;
const first = 10;
/** Asked before the measurement: code is compiled, memory taken. */
const warmUps = 1;

const cpuMs = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const tokens = await openTokenModel();
const print = (cells: readonly (string | number)[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
print([
  "set",
  "tokens a snippet",
  "bytes a snippet",
  "first 10: model ms",
  "first 30: model ms",
  "passages a second",
  "first 30: matching ms",
]);
print(Array<string>(7).fill("---"));
for (const set of (await Promise.all(process.argv.slice(2).map(readSets))).flat()) {
  const snippets = (await snippetsOfSet(set)).map(embeddingInput);
  const step = Math.max(1, Math.floor(snippets.length / (reranked * (questions + warmUps))));
  const runs = set.questions.slice(0, questions + warmUps).map(({ text }, turn) => {
    const candidates = Array.from({ length: reranked }, (_, at) => {
      const place = (turn * reranked + at) * step;
      return snippets[place % snippets.length] ?? "";
    });
    const asked = tokens(text);
    const passages: ReturnType<typeof tokens>[] = [];
    const embed = (from: number, to: number) => () => {
      for (const candidate of candidates.slice(from, to)) passages.push(tokens(candidate));
    };
    const ten = cpuMs(embed(0, first));
    const rest = cpuMs(embed(first, reranked));
    const matching = cpuMs(() => {
      for (const passage of passages) match(asked, passage);
    });
    return { ten, all: ten + rest, matching, pieces: mean(passages.map(({ pieces }) => pieces.length)) };
  });
  const of = (figure: (run: (typeof runs)[number]) => number): number => mean(runs.slice(warmUps).map(figure));
  const all = of((run) => run.all);
  print([
    set.name,
    Math.round(of(({ pieces }) => pieces)),
    Math.round(width * of(({ pieces }) => pieces)),
    Math.round(of(({ ten }) => ten)),
    Math.round(all),
    Math.round((1000 * reranked) / all),
    Math.round(of(({ matching }) => matching)),
  ]);
}
process.exit(0);
