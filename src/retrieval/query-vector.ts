import { dot } from "../domain/dot.ts";
import type { WeightedText } from "./conversation-terms.ts";

/**
 * Unit vector of the question and the earlier turns, each by its weight.
 * @param texts the question first, then the turns
 * @param vectors of at least these texts, in their order
 * @returns null without vectors
 */
export const weightedSum = (texts: readonly WeightedText[], vectors: readonly Float32Array[]): Float32Array | null => {
  const [first] = vectors;
  if (first === undefined || texts.length === 1) return first ?? null;
  const sum = new Float32Array(first.length);
  for (const [index, { weight }] of texts.entries())
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (vectors[index]?.[at] ?? 0);
  return unit(sum);
};

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
};
