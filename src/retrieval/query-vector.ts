import type { EmbeddingModel } from "../../providers/contract.ts";
import { dot } from "../domain/dot.ts";
import type { WeightedText } from "./conversation-terms.ts";

/**
 * Unit vector of the question and the earlier turns, each by its weight.
 * @throws ProviderError
 */
export const queryVector = async (
  model: EmbeddingModel,
  texts: readonly WeightedText[],
  signal: AbortSignal,
): Promise<Float32Array> => {
  const vectors = await model.embed(
    texts.map(({ text }) => text),
    "query",
    signal,
  );
  const [first] = vectors;
  if (first === undefined) return new Float32Array(0);
  if (vectors.length === 1) return first;
  const sum = new Float32Array(first.length);
  for (const [index, vector] of vectors.entries()) {
    const weight = texts[index]?.weight ?? 0;
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
  }
  return unit(sum);
};

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
};
