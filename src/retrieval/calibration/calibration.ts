/** What the gate knows of one store: how it weighs the evidence, and what evidence questions have that it can answer. */
export interface Calibration {
  /** Of a logistic function, in the order of `gateFeatureNames`. */
  readonly coefficients: readonly number[];
  /** Evidence (log-odds) for questions whose answer is there, ascending. */
  readonly answerable: readonly number[];
}

/** The calibration of a store, and how many snippets the store had. */
export interface StoreCalibration extends Calibration {
  readonly snippets: number;
}

/** What is known before a store: fitted to many collections by bench/quality/gate/fit.ts. */
export interface GatePrior extends Calibration {
  /** How far each coefficient differs between collections: the standard deviation. */
  readonly deviations: readonly number[];
  /** Mean features of questions that have an answer, for each tenth of them by evidence, ascending. */
  readonly typical: readonly (readonly number[])[];
  /** How much more evidence such questions have in stores of other sizes. */
  readonly bySize: SizeEffect;
  /** How made questions are used: they are like people's, not the same. */
  readonly made: {
    /** What one counts beside a question of a person. */
    readonly weight: number;
    /** Added to the evidence of made questions: people's have more. */
    readonly shift: number;
    /** The prior's distribution of evidence counts as much as this many made questions. */
    readonly questions: number;
  };
}

export interface SizeEffect {
  /** Evidence in small stores. */
  readonly small: number;
  /** Evidence for each unit of the feature `large`. */
  readonly large: number;
}

/** Linear between the values. @param sorted ascending, not empty */
export const quantile = (sorted: readonly number[], share: number): number => {
  // Of n values, the i-th lies at the share (i + 0.5) / n.
  const at = Math.min(sorted.length - 1, Math.max(0, share * sorted.length - 0.5));
  const low = Math.floor(at);
  const from = sorted[low] ?? 0;
  return from + (at - low) * ((sorted[low + 1] ?? from) - from);
};

/**
 * The part of the values that is below one: the inverse of `quantile`, and beyond both ends half as much for each
 * deviation of the evidence, so that the order of values is kept there.
 * @param sorted ascending, not empty
 */
export const shareBelow = (sorted: readonly number[], value: number): number => {
  const count = sorted.length;
  const [first = 0] = sorted;
  const last = sorted[count - 1] ?? 0;
  if (value < first) return (0.5 / count) * 2 ** (value - first);
  if (value >= last) return 1 - (0.5 / count) * 2 ** (last - value);
  let low = 0;
  while ((sorted[low + 1] ?? Number.POSITIVE_INFINITY) <= value) low++;
  const from = sorted[low] ?? 0;
  const to = sorted[low + 1] ?? from;
  return (low + 0.5 + (to > from ? (value - from) / (to - from) : 0)) / count;
};
