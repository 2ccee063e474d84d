import { estimate } from "../../../src/evaluation/estimates.ts";

const percent = (part: number): string => (100 * part).toFixed(1);

/** `91.2 [88.0, 94.1]`: the share that holds, with its 95 % interval. */
export const shareWithInterval = (holds: readonly boolean[]): string => {
  if (holds.length === 0) return "-";
  const { mean, low, high } = estimate(holds.map((each) => (each ? 1 : 0)));
  return `${percent(mean)} [${percent(low)}, ${percent(high)}]`;
};

const bins = 10;

/** For each tenth of the confidence: how many questions have it, its mean, and the share that has an answer. */
export const binsOf = (judged: readonly { confidence: number; isThere: boolean }[]): string => {
  const rows = ["| confidence | questions | mean | have an answer |", "|---|---|---|---|"];
  let error = 0;
  for (let bin = 0; bin < bins; bin++) {
    const own = judged.filter(({ confidence }) => Math.min(bins - 1, Math.floor(confidence * bins)) === bin);
    if (own.length === 0) continue;
    const mean = own.reduce((sum, { confidence }) => sum + confidence, 0) / own.length;
    const right = own.filter(({ isThere }) => isThere).length / own.length;
    error += (own.length / judged.length) * Math.abs(mean - right);
    rows.push(
      `| ${bin / bins} to ${(bin + 1) / bins} | ${own.length} | ${percent(mean)} | ${shareWithInterval(own.map(({ isThere }) => isThere))} |`,
    );
  }
  return `${rows.join("\n")}\n\nMean difference: ${percent(error)} points.\n`;
};
