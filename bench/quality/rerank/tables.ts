import { comparePaired, mean } from "../../../src/evaluation/estimates.ts";
import type { RankingScores } from "../../../src/evaluation/ranking-scores.ts";
import type { Ranked } from "./features.ts";
import { type Sum, sums } from "./max-sim.ts";
import { judge, type Order } from "./orders.ts";

export interface Measured {
  name: string;
  /** Pieces that count. */
  limit: number;
  questions: readonly Ranked[];
}

/** Weights of late interaction that are tried. */
const weights = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];
const tried = sums.flatMap((sum) => weights.map((weight) => ({ sum, weight })));
/** From this mean share on, a set counts as one in English. */
const minEnglishShare = 0.85;

const percent = (value: number): string => (100 * value).toFixed(1);
const figures = ["ndcg10", "recall5", "recall10", "recall20"] as const;
type Figure = (typeof figures)[number];

/** Second minus first, with its 95 % interval. */
const gain = (first: readonly RankingScores[], second: readonly RankingScores[], figure: Figure): string => {
  const of = (scores: readonly RankingScores[]) => scores.map((score) => score[figure]);
  const { mean: difference, low, high } = comparePaired(of(first), of(second));
  return `${difference < 0 ? "" : "+"}${percent(difference)} [${percent(low)}, ${percent(high)}]`;
};

const table = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...rest] = rows;
  return [head, head.map(() => "---"), ...rest].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
};

/** Mean nDCG@10 of every sum at every weight, in that order. */
const ndcgOfWeights = ({ questions, limit }: Measured): number[] =>
  tried.map(({ sum, weight }) => {
    const order: Order = { by: "weight", sum, weight, isLimited: false };
    return mean(judge(questions, order, limit).map(({ ndcg10 }) => ndcg10));
  });

/** nDCG@10 of the fused order, and what each way of late interaction adds to it by itself, and by reciprocal ranks. */
export const sumsTable = (sets: readonly Measured[]): string => {
  const head = ["set", "questions", "fused", ...sums, ...sums.map((sum) => `ranks: ${sum}`)];
  const orders = (["sum", "ranks"] as const).flatMap((by) => sums.map((sum): Order => ({ by, sum })));
  const rows = sets.map(({ name, questions, limit }) => {
    const before = judge(questions, { by: "fusion" }, limit);
    const fused = percent(mean(before.map(({ ndcg10 }) => ndcg10)));
    const gains = orders.map((order) => gain(before, judge(questions, order, limit), "ndcg10"));
    return [name, String(questions.length), fused, ...gains];
  });
  return table([head, ...rows]);
};

const sourceOf = (name: string): string => name.split("-")[0] ?? name;

const isEnglish = ({ questions }: Measured): boolean =>
  mean(questions.map(({ languageShare }) => languageShare)) >= minEnglishShare;

/** The sum and weight that are best on average on some sets. @param ndcgs of each set, by `ndcgOfWeights` */
const bestOn = (ndcgs: readonly (readonly number[])[]): { sum: Sum; weight: number } => {
  const means = tried.map((_, at) => mean(ndcgs.map((ndcg) => ndcg[at] ?? 0)));
  return tried[means.indexOf(Math.max(...means))] ?? { sum: "all", weight: 0 };
};

/** What the weight chosen without a set's source adds there, for all questions and limited to English. */
export const heldOutTable = (sets: readonly Measured[]): string => {
  const limited = figures.map((figure) => `limited: ${figure}`);
  const head = ["set", "English", "chosen", ...figures, ...limited];
  const english = sets.filter(isEnglish).map((set) => ({ source: sourceOf(set.name), ndcgs: ndcgOfWeights(set) }));
  const rows = sets.map((set) => {
    const { questions, limit, name } = set;
    const others = english.filter(({ source }) => source !== sourceOf(name));
    const { sum, weight } = bestOn(others.map(({ ndcgs }) => ndcgs));
    const before = judge(questions, { by: "fusion" }, limit);
    const gains = [false, true].flatMap((isLimited) => {
      const after = judge(questions, { by: "weight", sum, weight, isLimited }, limit);
      return figures.map((figure) => gain(before, after, figure));
    });
    const share = percent(mean(questions.map(({ languageShare }) => languageShare)));
    return [name, share, `${sum} × ${weight}`, ...gains];
  });
  return table([head, ...rows]);
};
