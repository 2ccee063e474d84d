import { comparePaired, estimate, mean } from "../../src/evaluation/estimates.ts";
import { maxFalseRefusals, refusalAt } from "../../src/evaluation/figures.ts";
import type { SetResult } from "../../src/evaluation/run-file.ts";

/** The default of `answers.refusalThreshold`. */
const defaultThreshold = 0.5;

const percent = (value: number): string => (value * 100).toFixed(1).padStart(5);

/** `81.2 [79.0, 83.5]`: the mean with its 95 % interval. */
const within = (values: readonly number[]): string => {
  if (values.length === 0) return "-";
  const { mean: middle, low, high } = estimate(values);
  return `${percent(middle).trim()} [${percent(low).trim()}, ${percent(high).trim()}]`;
};

/** Second minus first, question by question, with its 95 % interval: `+1.2 [0.4, 2.0]`. */
const gain = (first: readonly number[], second: readonly number[]): string => {
  const { mean: difference, low, high } = comparePaired(first, second);
  const signed = `${difference < 0 ? "" : "+"}${(difference * 100).toFixed(1)}`;
  return `${signed} [${(low * 100).toFixed(1)}, ${(high * 100).toFixed(1)}]`;
};

/** The figures of each set as tables for a terminal or a page of the documentation. */
export const reportTable = (results: readonly SetResult[]): string =>
  [...rankings(results), ...fusionGains(results), ...refusals(results), ...quotations(results)].join("\n");

const rankings = (results: readonly SetResult[]): string[] => {
  const lines = ["| set | legs | nDCG@10 | recall@5 | recall@10 | recall@20 |", "|---|---|---|---|---|---|"];
  for (const { name, runs } of results) {
    for (const [legs, run] of Object.entries(runs)) {
      const further = [run.recall10, run.recall20].map((values) => percent(mean(values)));
      const figures = [within(run.ndcg10), within(run.recall5), ...further];
      lines.push(`| ${name} | ${legs} | ${figures.join(" | ")} |`);
    }
  }
  return lines;
};

const fusionGains = (results: readonly SetResult[]): string[] => {
  const lines = results.flatMap(({ name, runs: { fused, text } }) =>
    fused === undefined || text === undefined
      ? []
      : [`| ${name} | ${gain(text.ndcg10, fused.ndcg10)} | ${gain(text.recall5, fused.recall5)} |`],
  );
  return lines.length === 0 ? [] : ["", "| set | fused minus text: nDCG@10 | recall@5 |", "|---|---|---|", ...lines];
};

const isBelowDefault = (value: number): number => (value < defaultThreshold ? 1 : 0);

const refusals = (results: readonly SetResult[]): string[] => [
  "",
  "| set | others' questions refused at ≤ 5 % false refusals | at the default: refused / false refusals |",
  "|---|---|---|",
  ...results.map(({ name, runs, foreign }) => {
    const own = runs.fused?.confidence ?? [];
    const { refused, threshold } = refusalAt(own, foreign, maxFalseRefusals);
    const atDefault = `${within(foreign.map(isBelowDefault))} / ${within(own.map(isBelowDefault))}`;
    return `| ${name} | ${percent(refused)} (threshold ${threshold.toFixed(2)}) | ${atDefault} |`;
  }),
];

const quotations = (results: readonly SetResult[]): string[] => {
  const lines = results.flatMap(({ name, sentences }) => {
    if (sentences === null || sentences.byModel) return [];
    const { first, amongThree, overlapFirst, overlapAmongThree } = sentences;
    const of = (quoted: readonly number[], overlap: readonly number[]) =>
      `${within(quoted)} | ${percent(mean(overlap))} | ${gain(overlap, quoted)}`;
    return [`| ${name} | ${of(first, overlapFirst)} | ${of(amongThree, overlapAmongThree)} |`];
  });
  if (lines.length === 0) return [];
  return [
    "",
    "| set | first quotation holds the answer | words alone | gain | one of three | words alone | gain |",
    "|---|---|---|---|---|---|---|",
    ...lines,
  ];
};
