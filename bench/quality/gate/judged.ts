import { refusalAt } from "../../../src/evaluation/refusal.ts";
import type { Calibration, GatePrior, SizeEffect } from "../../../src/retrieval/calibration/calibration.ts";
import { type CalibrationExample, fitWithPrior } from "../../../src/retrieval/calibration/fit-calibration.ts";
import { isRefused, judge } from "../../../src/retrieval/relevance-gate.ts";
import { type ExampleLine, type Tier, tiers } from "./example-line.ts";

/** The default of `answers.refusalThreshold`. */
export const wish = 0.5;
/** Fewer questions of people say nothing of a set: then made ones are shown. */
const minQuestions = 25;

export interface Judged {
  line: ExampleLine;
  confidence: number;
  refusedAbove: number;
  isRefused: boolean;
}

export const judgeAll = (lines: readonly ExampleLine[], calibration: Calibration, bySize: SizeEffect): Judged[] =>
  lines.map((line) => {
    const verdict = judge(line.features, calibration, bySize);
    const { confidence, refusedAbove } = verdict;
    return { line, confidence, refusedAbove, isRefused: isRefused(verdict, wish, true) };
  });

/** What a store learns from: the made questions. */
export const madeOf = (lines: readonly ExampleLine[]): CalibrationExample[] =>
  lines.flatMap(({ kind, features, isThere }) => (kind === "made" && features !== null ? [{ features, isThere }] : []));

/** The questions of one set with one kind of vectors, judged by a prior that does not know the set. */
export interface JudgedSet {
  set: string;
  tier: Tier;
  asked: "real" | "made";
  alone: Judged[];
  calibrated: Judged[];
}

export const judgeSet = (
  lines: readonly ExampleLine[],
  set: string,
  tier: Tier,
  prior: GatePrior,
): JudgedSet | null => {
  const own = lines.filter((line) => line.set === set && line.tier === tier);
  if (own.length === 0) return null;
  const asked = own.filter(({ kind }) => kind === "real").length >= 2 * minQuestions ? "real" : "made";
  const calibrated = judgeAll(own, fitWithPrior(madeOf(own), prior), prior.bySize);
  return { set, tier, asked, alone: judgeAll(own, prior, prior.bySize), calibrated };
};

/** All sets of a folder, with each kind of vectors that they were asked with. @param priors of each set */
export const judgeSets = (
  lines: readonly ExampleLine[],
  sets: readonly string[],
  priors: ReadonlyMap<string, GatePrior>,
): JudgedSet[] =>
  sets.flatMap((set) =>
    tiers.flatMap((tier) => {
      const prior = priors.get(set);
      return (prior === undefined ? null : judgeSet(lines, set, tier, prior)) ?? [];
    }),
  );

/** What the order of the evidence allows: absent refused by the best threshold that refuses 5 % of what is there. */
export const bestPossible = (judged: readonly Judged[], asked: ExampleLine["kind"]): number => {
  const evidenceOf = (isThere: boolean): number[] =>
    judged.filter(({ line }) => line.kind === asked && line.isThere === isThere).map((each) => each.refusedAbove);
  return refusalAt(evidenceOf(true), evidenceOf(false), 0.05).refused;
};
