import type { EmbeddingModel } from "../../../providers/contract.ts";

const forever = new AbortController().signal;
const atOnce = 32;

/** Vectors of texts, kept in a file: a model takes most of the time. */
export const keptVectors = async (
  model: EmbeddingModel,
  path: string,
  texts: readonly string[],
): Promise<Float32Array[]> => {
  const file = Bun.file(path);
  const length = await model.dimensions(forever);
  if (await file.exists()) {
    const all = new Float32Array(await file.arrayBuffer());
    if (all.length === texts.length * length) return texts.map((_, at) => all.subarray(at * length, (at + 1) * length));
  }
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += atOnce)
    vectors.push(...(await model.embed(texts.slice(at, at + atOnce), "document", forever)));
  const all = new Float32Array(vectors.length * length);
  for (const [at, vector] of vectors.entries()) all.set(vector, at * length);
  await Bun.write(file, all);
  return vectors;
};
