/** An affine transform (PDF 32000-1, 8.3.4). */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** The transform that applies `n` first, then `m`. */
export const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];

/** A transform from an array of six numbers; null for anything else. */
export const readMatrix = (values: unknown): Matrix | null => {
  const numbers: unknown[] = Array.isArray(values) ? values : values instanceof Float32Array ? [...values] : [];
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : null;
};
