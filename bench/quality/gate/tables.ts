import { estimate, mean } from "../../../src/evaluation/estimates.ts";
import { refusalAt } from "../../../src/evaluation/figures.ts";
import { evidenceOfSize, shareBelow, wishFor } from "../../../src/retrieval/judge/judge.ts";
import { evidenceOf, type Numbers } from "./fit-coefficients.ts";
import type { ExampleLine, Tier } from "./read-examples.ts";

/** The default of `answers.refusalThreshold`. */
export const wish = 0.5;
/** Fewer questions of people say nothing of a set. */
const minQuestions = 25;
/** False refusals by which the order of the evidence is judged: a mean over several is less noisy than one. */
const falseRefusals = [0.03, 0.04, 0.05, 0.06, 0.07, 0.08];

/** A question with what the judge says of it by numbers that do not know its set. */
export interface Judged {
  line: ExampleLine;
  evidence: number;
  confidence: number;
  refusedAbove: number;
}

export const judgeAll = (lines: readonly ExampleLine[], { coefficients, answerable, bySize }: Numbers): Judged[] =>
  lines.map((line) => {
    if (line.measured === null) return { line, evidence: Number.NEGATIVE_INFINITY, confidence: 0, refusedAbove: 0 };
    const evidence = evidenceOf(line.measured, coefficients);
    const expected = evidenceOfSize(line.measured, bySize);
    return {
      line,
      evidence,
      confidence: 1 / (1 + Math.exp(-evidence)),
      refusedAbove: wishFor(shareBelow(answerable, evidence - expected)),
    };
  });

const percent = (part: number): string => (100 * part).toFixed(1);

/** `91.2 [88.0, 94.1]`: the share that holds, with its 95 % interval. */
export const shareWithInterval = (holds: readonly boolean[]): string => {
  if (holds.length === 0) return "-";
  const { mean: share, low, high } = estimate(holds.map((each) => (each ? 1 : 0)));
  return `${percent(share)} [${percent(low)}, ${percent(high)}]`;
};

const realOf = (judged: readonly Judged[], isThere: boolean): Judged[] =>
  judged.filter(({ line }) => line.kind === "real" && line.isThere === isThere);

/** What the order of the evidence allows: absent refused by thresholds of the set that refuse 3 to 8 % of what is there. */
const bestOf = (judged: readonly Judged[]): number => {
  const [there, absent] = [realOf(judged, true), realOf(judged, false)].map((own) =>
    own.map(({ evidence }) => evidence),
  );
  return mean(falseRefusals.map((allowed) => refusalAt(there ?? [], absent ?? [], allowed).refused));
};

const bySet = (judged: readonly Judged[]): Judged[][] =>
  [...Map.groupBy(judged, ({ line }) => `${line.set} ${line.tier}`).values()].filter(
    (own) => realOf(own, true).length >= minQuestions && realOf(own, false).length >= minQuestions,
  );

/** Mean over sets of what the best threshold of each refuses, and what one threshold for all of them does. */
export const orderOf = (judged: readonly Judged[]): { best: number; one: number } => ({
  best: mean(bySet(judged).map(bestOf)),
  one: bestOf(judged),
});

/** A row for each set, and one for all. */
export const refusalTable = (title: string, judged: readonly Judged[]): string => {
  const refused = (own: readonly Judged[]): string =>
    shareWithInterval(own.map(({ refusedAbove }) => refusedAbove < wish));
  const row = (name: string, tier: Tier, own: readonly Judged[], best: number): string => {
    const foreign = own.filter(({ line }) => line.kind === "foreign");
    const cells = [
      name,
      tier,
      refused(realOf(own, false)),
      refused(realOf(own, true)),
      percent(best),
      refused(foreign),
    ];
    return `| ${cells.join(" | ")} |\n`;
  };
  const rows = bySet(judged).map((own) => {
    const { set, tier } = (own[0] as Judged).line;
    return row(set, tier, own, bestOf(own));
  });
  for (const [tier, own] of Map.groupBy(judged, ({ line }) => line.tier))
    rows.push(row("**all**", tier, own, orderOf(own).best));
  const head =
    "| set | vectors | absent refused | there refused | absent refused by the best threshold | of other sets refused |";
  return `### ${title}\n\n${head}\n|---|---|---|---|---|---|\n${rows.join("")}\n`;
};

const bins = 10;

/** For each tenth of the confidence: how many questions have it, its mean, and the share that has an answer. */
export const reliabilityTable = (judged: readonly Judged[]): string => {
  const rows = ["| confidence | questions | mean | have an answer |", "|---|---|---|---|"];
  const asked = judged.filter(({ line }) => line.kind === "real");
  let error = 0;
  for (let bin = 0; bin < bins; bin++) {
    const own = asked.filter(({ confidence }) => Math.min(bins - 1, Math.floor(confidence * bins)) === bin);
    if (own.length === 0) continue;
    const said = mean(own.map(({ confidence }) => confidence));
    const right = own.map(({ line }) => line.isThere);
    error += (own.length / asked.length) * Math.abs(said - mean(right.map(Number)));
    rows.push(
      `| ${bin / bins} to ${(bin + 1) / bins} | ${own.length} | ${percent(said)} | ${shareWithInterval(right)} |`,
    );
  }
  return `${rows.join("\n")}\n\nMean difference: ${percent(error)} points.\n`;
};
