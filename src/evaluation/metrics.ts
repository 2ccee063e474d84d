/** Relevance of documents (or snippets) to one question, by id; what is not in it is not relevant. */
export type Judgments = ReadonlyMap<string, number>;

/**
 * Normalized discounted cumulative gain of the first `k` (Järvelin and Kekäläinen 2002), with the judged relevance
 * itself as gain, as trec_eval's `ndcg_cut` has it. 0 where nothing is relevant.
 */
export const ndcg = (ranking: readonly string[], judged: Judgments, k: number): number => {
  const gain = (relevances: readonly number[]): number =>
    relevances.slice(0, k).reduce((sum, relevance, rank) => sum + relevance / Math.log2(rank + 2), 0);
  const ideal = gain([...judged.values()].filter((relevance) => relevance > 0).sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranking.map((id) => Math.max(0, judged.get(id) ?? 0))) / ideal;
};

/** Part of the relevant that is among the first `k`. 0 where nothing is relevant. */
export const recall = (ranking: readonly string[], judged: Judgments, k: number): number => {
  const relevant = [...judged].filter(([, relevance]) => relevance > 0);
  if (relevant.length === 0) return 0;
  const first = new Set(ranking.slice(0, k));
  return relevant.filter(([id]) => first.has(id)).length / relevant.length;
};

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** A figure with the range it lies in with 95 % confidence. */
export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

/** Samples drawn for an interval, and sign flips for a probability. */
const resamples = 1000;
const flips = 10_000;

/**
 * Mean over questions with its bootstrap percentile interval (Efron 1979). The generator's seed is the number of
 * values: the same values give the same interval.
 */
export const estimate = (values: readonly number[]): Estimate => {
  const random = createRandom(values.length);
  const means: number[] = [];
  for (let resample = 0; resample < resamples && values.length > 0; resample++) means.push(meanOfDraws(values, random));
  return { mean: mean(values), ...percentileInterval(means) };
};

/**
 * As `estimate`, where values of one group (questions made from one document) are alike: whole groups are drawn anew
 * (cluster bootstrap), which gives the wider, honest interval.
 * @param groups the group of each value
 */
export const estimateGrouped = (values: readonly number[], groups: readonly number[]): Estimate => {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const [index, value] of values.entries()) {
    const held = sums.get(groups[index] ?? 0) ?? { sum: 0, count: 0 };
    sums.set(groups[index] ?? 0, { sum: held.sum + value, count: held.count + 1 });
  }
  const drawn = [...sums.values()];
  const random = createRandom(values.length);
  const means: number[] = [];
  for (let resample = 0; resample < resamples && drawn.length > 0; resample++) {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < drawn.length; draw++) {
      const group = drawn[Math.floor(random() * drawn.length)];
      sum += group?.sum ?? 0;
      count += group?.count ?? 0;
    }
    means.push(sum / count);
  }
  return { mean: mean(values), ...percentileInterval(means) };
};

/** Mean of as many values drawn with replacement. */
const meanOfDraws = (values: readonly number[], random: () => number): number => {
  let sum = 0;
  for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)] ?? 0;
  return sum / values.length;
};

/** The middle 95 % of what resampling gave. */
export const percentileInterval = (resampled: readonly number[]): { low: number; high: number } => {
  const sorted = [...resampled].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
};

export interface Comparison extends Estimate {
  /** Two-sided probability of a difference this large if there were none. */
  p: number;
  better: number;
  worse: number;
}

/**
 * Compares two runs over the same questions: mean of second minus first with its interval, and the probability by
 * randomization (Smucker, Allan and Carterette 2007: signs of the differences flipped at random).
 */
export const comparePaired = (first: readonly number[], second: readonly number[]): Comparison => {
  if (first.length !== second.length) throw new Error("two runs are compared over the same questions");
  const differences = second.map((value, index) => value - (first[index] ?? 0));
  const observed = Math.abs(mean(differences));
  const random = createRandom(differences.length + 1);
  let extreme = 0;
  for (let flip = 0; flip < flips; flip++) {
    let sum = 0;
    for (const difference of differences) sum += random() < 0.5 ? difference : -difference;
    if (Math.abs(sum) / (differences.length || 1) >= observed - 1e-12) extreme++;
  }
  return {
    ...estimate(differences),
    p: (extreme + 1) / (flips + 1),
    better: differences.filter((difference) => difference > 0).length,
    worse: differences.filter((difference) => difference < 0).length,
  };
};

export interface RefusalFigures {
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
 * `refusalAt` with an interval for the part refused: questions of both kinds are drawn anew, and the threshold is
 * found anew for each sample, so that its own uncertainty is in the interval.
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

/**
 * The threshold under which a new answerable question falls with a probability of at most `allowed`, by split conformal
 * prediction (Vovk, Gammerman and Shafer 2005): the `floor(allowed · (n + 1))`-th smallest of the confidences seen,
 * rounded down to hundredths. 0 where they are too few to say.
 */
export const conformalThreshold = (answerable: readonly number[], allowed: number): number => {
  const sorted = [...answerable].sort((a, b) => a - b);
  const found = sorted[Math.floor(allowed * (sorted.length + 1)) - 1] ?? 0;
  return Math.floor(found * 100) / 100;
};

export const shareBelow = (values: readonly number[], threshold: number): number =>
  values.length === 0 ? 0 : values.filter((value) => value < threshold).length / values.length;

/** Mulberry32 (Tommy Ettinger, public domain): a small generator with a seed, so that figures repeat. @returns 0 to 1 */
export const createRandom = (seed: number): (() => number) => {
  let state = (seed + 0x6d2b79f5) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};
