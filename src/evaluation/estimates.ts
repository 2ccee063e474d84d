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

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** A figure with its 95 % confidence interval. */
export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

/** Samples drawn for an interval, and sign flips for a probability. */
export const resamples = 1000;
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

/** Mean of a sample of the same size, drawn with replacement. */
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
