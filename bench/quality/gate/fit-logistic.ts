/** An example to fit to: its features, and whether the outcome was the positive one. */
export interface Example {
  features: readonly number[];
  positive: boolean;
  /** How much it counts; 1 is one observation. */
  weight: number;
}

/** Newton steps; it converges in five to ten. */
const maxSteps = 40;
const tolerance = 1e-5;
/** Longest step in any coefficient: keeps the first steps from overshooting where the examples are separable. */
const maxStep = 4;
/** A precision that no examples overcome: it holds a coefficient at 0. */
const held = 1e9;

/**
 * Coefficients of a logistic function with the largest posterior probability (maximum a posteriori, by Newton's method),
 * each with its sign or 0: the one that is furthest on the other side is held at 0 and the rest fitted again, until there is
 * none.
 * @param precision of each coefficient, whose mean is 0: the larger, the more examples it takes to move it
 * @param signs 1, -1, or 0 for either
 */
export const fitLogistic = (
  examples: readonly Example[],
  precision: readonly number[],
  signs: readonly number[],
): number[] => {
  const precisions = [...precision];
  let coefficients = precision.map(() => 0);
  for (;;) {
    coefficients = converge(examples, precisions, coefficients);
    const wrong = coefficients.map((value, at) => (precisions[at] === held ? 0 : -value * (signs[at] ?? 0)));
    const worst = wrong.indexOf(Math.max(...wrong));
    if (!((wrong[worst] ?? 0) > 0)) return coefficients.map((value, at) => (precisions[at] === held ? 0 : value));
    precisions[worst] = held;
    coefficients[worst] = 0;
  }
};

const converge = (examples: readonly Example[], precision: readonly number[], start: readonly number[]): number[] => {
  const coefficients = [...start];
  for (let step = 0; step < maxSteps; step++) {
    const { gradient, hessian } = derivatives(examples, coefficients, precision);
    const change = solve(hessian, gradient);
    const largest = Math.max(...change.map(Math.abs));
    const scale = largest > maxStep ? maxStep / largest : 1;
    for (const [at, value] of change.entries()) coefficients[at] = (coefficients[at] ?? 0) + scale * value;
    if (largest < tolerance) break;
  }
  return coefficients;
};

/** Gradient of the log posterior, and its negated second derivatives. */
const derivatives = (
  examples: readonly Example[],
  coefficients: readonly number[],
  precision: readonly number[],
): { gradient: number[]; hessian: number[][] } => {
  const size = coefficients.length;
  const hessian = precision.map((value, row) => precision.map((_, column) => (row === column ? value : 0)));
  const gradient = precision.map((value, at) => -value * (coefficients[at] ?? 0));
  for (const { features, positive, weight } of examples) {
    const probability = 1 / (1 + Math.exp(-product(coefficients, features)));
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

export const product = (a: readonly number[], b: readonly number[]): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] ?? 0);
  return sum;
};

/** Solves a symmetric positive definite system by Cholesky's decomposition. */
const solve = (matrix: readonly (readonly number[])[], right: readonly number[]): number[] => {
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
