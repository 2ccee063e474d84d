/** An example to fit to: its features, and whether the outcome was the positive one. */
export interface Example {
  features: readonly number[];
  positive: boolean;
  /** How much it counts; 1 is one observation. */
  weight: number;
}

/** A normal distribution of coefficients: what is known of them before any example. */
export interface Prior {
  mean: readonly number[];
  /** Inverse of the covariance; symmetric. */
  precision: readonly (readonly number[])[];
}

/** Newton steps; it converges in five to ten. */
const maxSteps = 40;
const tolerance = 1e-7;
/** Longest step in any coefficient: keeps the first steps from overshooting where the examples are separable. */
const maxStep = 4;

/**
 * Coefficients of a logistic function with the largest posterior probability (maximum a posteriori, by Newton's method).
 * With few examples they stay at the prior's mean; with many, the examples decide.
 * @param start where the steps begin: there is one solution, and the nearer the fewer steps
 */
export const fitLogistic = (
  examples: readonly Example[],
  { mean, precision }: Prior,
  start: readonly number[] = mean,
): number[] => {
  const coefficients = [...start];
  for (let step = 0; step < maxSteps; step++) {
    const { gradient, hessian } = derivatives(examples, coefficients, { mean, precision });
    const change = solve(hessian, gradient);
    const largest = Math.max(...change.map(Math.abs));
    const scale = largest > maxStep ? maxStep / largest : 1;
    for (const [at, value] of change.entries()) coefficients[at] = (coefficients[at] ?? 0) + scale * value;
    if (largest < tolerance) break;
  }
  return coefficients;
};

/**
 * As `fitLogistic`, with coefficients that have the given signs or are 0: the one that is furthest on the other side is
 * held at 0 and the rest fitted again, until there is none.
 * @param signs 1, -1, or 0 for either
 */
export const fitMonotone = (examples: readonly Example[], prior: Prior, signs: readonly number[]): number[] => {
  const held = new Set<number>();
  let start = prior.mean;
  for (;;) {
    const coefficients = fitLogistic(examples, withHeld(prior, held), start);
    let worst = -1;
    let most = 0;
    for (const [at, value] of coefficients.entries()) {
      const wrong = held.has(at) ? 0 : -value * (signs[at] ?? 0);
      if (wrong > most) [worst, most] = [at, wrong];
    }
    if (worst < 0) return coefficients.map((value, at) => (held.has(at) ? 0 : value));
    held.add(worst);
    start = coefficients.map((value, at) => (held.has(at) ? 0 : value));
  }
};

/** Holds coefficients at 0 by a precision that no examples overcome. */
const withHeld = ({ mean, precision }: Prior, held: ReadonlySet<number>): Prior => ({
  mean: mean.map((value, at) => (held.has(at) ? 0 : value)),
  precision: precision.map((row, from) =>
    row.map((value, to) => (!held.has(from) && !held.has(to) ? value : from === to ? 1e9 : 0)),
  ),
});

/** Gradient of the log posterior, and its negated second derivatives: the precision of the coefficients. */
export const derivatives = (
  examples: readonly Example[],
  coefficients: readonly number[],
  { mean, precision }: Prior,
): { gradient: number[]; hessian: number[][] } => {
  const size = coefficients.length;
  const hessian = precision.map((row) => [...row]);
  const gradient = precision.map((row) =>
    row.reduce((sum, value, at) => sum - value * ((coefficients[at] ?? 0) - (mean[at] ?? 0)), 0),
  );
  for (const { features, positive, weight } of examples) {
    const probability = logistic(product(coefficients, features));
    const error = weight * ((positive ? 1 : 0) - probability);
    const curvature = weight * probability * (1 - probability);
    for (let row = 0; row < size; row++) {
      const feature = features[row] as number;
      if (feature === 0) continue;
      (gradient[row] as number) += error * feature;
      const target = hessian[row] as number[];
      const factor = curvature * feature;
      for (let column = 0; column < size; column++) (target[column] as number) += factor * (features[column] as number);
    }
  }
  return { gradient, hessian };
};

export const logistic = (value: number): number => 1 / (1 + Math.exp(-value));

export const product = (a: readonly number[], b: readonly number[]): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] ?? 0);
  return sum;
};

/** Solves a symmetric positive definite system by Cholesky's decomposition. */
export const solve = (matrix: readonly (readonly number[])[], right: readonly number[]): number[] => {
  const size = right.length;
  const lower = matrix.map((row) => new Array<number>(row.length).fill(0));
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row]?.[column] ?? 0;
      for (let at = 0; at < column; at++) sum -= (lower[row]?.[at] ?? 0) * (lower[column]?.[at] ?? 0);
      const target = lower[row] as number[];
      // A direction without any information gets a tiny one, so that its step is bounded.
      target[column] = row === column ? Math.sqrt(Math.max(sum, 1e-9)) : sum / (lower[column]?.[column] ?? 1);
    }
  }
  const half: number[] = [];
  for (let row = 0; row < size; row++) {
    let sum = right[row] ?? 0;
    for (let at = 0; at < row; at++) sum -= (lower[row]?.[at] ?? 0) * (half[at] ?? 0);
    half.push(sum / (lower[row]?.[row] ?? 1));
  }
  const result = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row--) {
    let sum = half[row] ?? 0;
    for (let at = row + 1; at < size; at++) sum -= (lower[at]?.[row] ?? 0) * (result[at] ?? 0);
    result[row] = sum / (lower[row]?.[row] ?? 1);
  }
  return result;
};
