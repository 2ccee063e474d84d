export interface Point {
  x: number;
  y: number;
}

export interface Slope {
  perX: number;
  /** The interval of 95 %. */
  low: number;
  high: number;
}

/** Normal approximation: there are hundreds of samples. */
const deviations95 = 1.96;
/** Neighboring samples of a resident set say nearly the same: fewer than this are never taken for independent ones. */
const fewestIndependent = 4;

/**
 * The line of least squares. Its interval takes into account that each sample resembles the one before: their number is
 * lowered to n(1-r)/(1+r), with r the correlation of neighboring residuals (Zwiers and von Storch, 1995).
 */
export const fitSlope = (points: readonly Point[]): Slope => {
  const n = points.length;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / n;
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const spreadX = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const perX = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spreadX;
  const residuals = points.map(({ x, y }) => y - meanY - perX * (x - meanX));
  const squares = residuals.reduce((sum, residual) => sum + residual ** 2, 0);
  const neighbors = residuals.slice(1).reduce((sum, residual, at) => sum + residual * (residuals[at] ?? 0), 0);
  const r = squares === 0 ? 0 : Math.min(0.99, Math.max(0, neighbors / squares));
  const independent = Math.max(fewestIndependent, (n * (1 - r)) / (1 + r));
  const error = Math.sqrt(squares / (independent - 2) / (spreadX * (independent / n)));
  return { perX, low: perX - deviations95 * error, high: perX + deviations95 * error };
};
