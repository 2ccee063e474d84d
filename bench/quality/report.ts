import { mean, refusalAt, shareBelow } from "../../src/evaluation/metrics.ts";
import type { Legs } from "./client.ts";
import type { RankingRun } from "./ranking.ts";
import type { SentenceRun } from "./sentences.ts";

/** All that was measured on one set. */
export interface SetResult {
  name: string;
  runs: Partial<Record<Legs, RankingRun>>;
  /** Confidence of each question of other sets. */
  foreign: number[];
  sentences: SentenceRun | null;
}

/** Part of answerable questions that may be refused where the gate is judged. */
const allowedFalseRefusals = 0.05;
/** The default of `answers.refusalThreshold`. */
const defaultThreshold = 0.5;

const percent = (value: number): string => (value * 100).toFixed(1).padStart(5);

/** The figures of each set as a table for a terminal or a page of the documentation. */
export const reportTable = (results: readonly SetResult[]): string => {
  const lines = ["| set | legs | nDCG@10 | recall@5 | recall@10 | recall@20 |", "|---|---|---|---|---|---|"];
  for (const { name, runs } of results) {
    for (const [legs, run] of Object.entries(runs)) {
      const figures = [run.ndcg10, run.recall5, run.recall10, run.recall20].map((values) => percent(mean(values)));
      lines.push(`| ${name} | ${legs} | ${figures.join(" | ")} |`);
    }
  }
  lines.push(
    "",
    "| set | others' questions refused at ≤ 5 % false refusals | at the default: refused / false refusals |",
    "|---|---|---|",
  );
  for (const { name, runs, foreign } of results) {
    const own = runs.fused?.confidence ?? [];
    const { refused, threshold } = refusalAt(own, foreign, allowedFalseRefusals);
    const atDefault = `${percent(shareBelow(foreign, defaultThreshold))} / ${percent(shareBelow(own, defaultThreshold))}`;
    lines.push(`| ${name} | ${percent(refused)} (threshold ${threshold.toFixed(2)}) | ${atDefault} |`);
  }
  const quoted = results.filter(({ sentences }) => sentences !== null);
  if (quoted.length > 0) {
    lines.push("", "| set | first quotation holds the answer | one of three |", "|---|---|---|");
    for (const { name, sentences } of quoted) {
      lines.push(
        `| ${name} | ${percent(mean(sentences?.first ?? []))} | ${percent(mean(sentences?.amongThree ?? []))} |`,
      );
    }
  }
  return lines.join("\n");
};
