import {
  type Comparison,
  comparePaired,
  createRandom,
  type Estimate,
  estimate,
  mean,
  percentileInterval,
  resamples,
} from "./estimates.ts";
import type { EvaluationRun, SetResult } from "./run-file.ts";

interface RefusalFigures {
  /** Threshold on the confidence at which at most the allowed part of the answerable questions is refused. */
  threshold: number;
  falseRefusals: number;
  /** Part of the unanswerable questions refused at that threshold. */
  refused: number;
}

/** What a gate does at the largest threshold that refuses at most `allowed` of the questions that have an answer. */
export const refusalAt = (
  answerable: readonly number[],
  unanswerable: readonly number[],
  allowed: number,
): RefusalFigures => {
  const sorted = [...answerable].sort((a, b) => a - b);
  const threshold = sorted[Math.floor(allowed * sorted.length)] ?? 1;
  return {
    threshold,
    falseRefusals: shareBelow(answerable, threshold),
    refused: shareBelow(unanswerable, threshold),
  };
};

/**
 * `refusalAt` with an interval for the part refused: questions of both kinds are resampled, and the
 * threshold is fitted to each sample, so that the interval includes its uncertainty.
 */
export const estimateRefusal = (
  answerable: readonly number[],
  unanswerable: readonly number[],
  allowed: number,
): RefusalFigures & Estimate => {
  const figures = refusalAt(answerable, unanswerable, allowed);
  const random = createRandom(answerable.length + unanswerable.length);
  const draw = (values: readonly number[]): number[] =>
    values.map(() => values[Math.floor(random() * values.length)] ?? 0);
  const shares: number[] = [];
  for (let resample = 0; resample < resamples && answerable.length > 0 && unanswerable.length > 0; resample++)
    shares.push(refusalAt(draw(answerable), draw(unanswerable), allowed).refused);
  return { ...figures, mean: figures.refused, ...percentileInterval(shares) };
};

const shareBelow = (values: readonly number[], threshold: number): number =>
  values.length === 0 ? 0 : values.filter((value) => value < threshold).length / values.length;

/** Part of the answerable questions that the gate may refuse when it is measured. */
export const maxFalseRefusals = 0.05;

/** A figure that is a mean over questions. */
export interface Metric {
  key: string;
  /** Name in tables. */
  label: string;
  /** A value for each question, 0 to 1. */
  values: readonly number[];
  /** Ids of these questions, in the same order. */
  questions: readonly string[];
}

/** All figures of a set that are means over questions; figures without questions are left out. */
export const metricsOf = (set: SetResult, threshold: number): Metric[] => {
  const { questions, foreign, foreignQuestions, sentences } = set;
  const fused = set.runs.fused;
  const isRefused = (confidence: number): number => (confidence < threshold ? 1 : 0);
  const metrics: Metric[] = [];
  const add = (key: string, label: string, values: readonly number[] | undefined, of: readonly string[]): void => {
    if (values !== undefined && values.length > 0) metrics.push({ key, label, values, questions: of });
  };
  add("ndcg10", "nDCG@10", fused?.ndcg10, questions);
  add("recall5", "recall@5", fused?.recall5, questions);
  add("recall10", "recall@10", fused?.recall10, questions);
  add("recall20", "recall@20", fused?.recall20, questions);
  add("falseRefusals", "false refusals", fused?.confidence.map(isRefused), questions);
  add("refused", "others refused", foreign.map(isRefused), foreignQuestions);
  add("absent", "absent refused", set.absent?.map(isRefused), set.absentQuestions ?? []);
  if (sentences !== null) {
    const of = sentences.questions;
    add("first", "first quotation", sentences.first, of);
    add("amongThree", "among three", sentences.amongThree, of);
    add("overlapFirst", "words alone: first", sentences.overlapFirst, of);
    add("overlapAmongThree", "words alone: three", sentences.overlapAmongThree, of);
    add("answer", "whole answer", sentences.whole, of);
  }
  return metrics;
};

/** What the gate does at the threshold that refuses few of the set's own questions; null if there is no other set. */
export const refusalOf = ({ runs, foreign }: SetResult): ReturnType<typeof estimateRefusal> | null =>
  foreign.length === 0 ? null : estimateRefusal(runs.fused?.confidence ?? [], foreign, maxFalseRefusals);

/** The figures of a set with their intervals, by key. */
export const estimatesOf = (set: SetResult, threshold: number): Record<string, Estimate> =>
  Object.fromEntries(metricsOf(set, threshold).map(({ key, values }) => [key, estimate(values)]));

/** One figure of one set in two runs. */
export interface ComparedMetric extends Comparison {
  set: string;
  label: string;
  earlier: number;
  now: number;
  questions: number;
}

const isSame = (first: readonly string[], second: readonly string[]): boolean =>
  first.length === second.length && first.every((each, index) => each === second[index]);

/**
 * Checks that each set has the same questions as in the earlier run.
 * @throws Error that names each set that differs, and how
 */
export const checkComparable = (
  earlier: EvaluationRun,
  sets: readonly { name: string; questions: readonly string[] }[],
): void => {
  const faults = sets.flatMap(({ name, questions }) => {
    const before = earlier.sets.find((set) => set.name === name);
    if (before === undefined) return [`${name}: the earlier run did not ask it`];
    if (isSame(before.questions, questions)) return [];
    const known = new Set(before.questions);
    const added = questions.filter((id) => !known.has(id)).length;
    const gone = before.questions.length - (questions.length - added);
    const how = added === 0 && gone === 0 ? "the same in another order" : `${added} new, ${gone} gone`;
    return [`${name}: ${questions.length} questions now, ${before.questions.length} then (${how})`];
  });
  if (faults.length > 0)
    throw new Error(`Only runs over the same questions can be compared:\n  ${faults.join("\n  ")}`);
};

/**
 * Compares each figure of each set with the earlier run, question by question. Figures that only one run has, or that are
 * of different questions (because the folder now has other sets), are named in `notCompared`.
 */
export const compareRuns = (
  earlier: EvaluationRun,
  now: EvaluationRun,
): { compared: ComparedMetric[]; notCompared: string[] } => {
  checkComparable(earlier, now.sets);
  const compared: ComparedMetric[] = [];
  const notCompared: string[] = [];
  for (const set of now.sets) {
    const before = earlier.sets.find(({ name }) => name === set.name);
    if (before === undefined) continue;
    const known = metricsOf(before, earlier.threshold);
    for (const { key, label, values, questions } of metricsOf(set, now.threshold)) {
      const other = known.find((metric) => metric.key === key);
      if (other === undefined || !isSame(other.questions, questions)) notCompared.push(`${set.name}: ${label}`);
      else {
        const comparison = comparePaired(other.values, values);

        compared.push({
          set: set.name,
          label,
          earlier: mean(other.values),
          now: mean(values),
          questions: values.length,
          ...comparison,
        });
      }
    }
  }
  return { compared, notCompared };
};
