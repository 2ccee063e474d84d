/** Dot product, which is the cosine of unit vectors. */
export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
};
