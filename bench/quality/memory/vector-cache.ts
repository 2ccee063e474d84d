import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { EmbeddingModel } from "../../../providers/contract.ts";

/** Texts given to the model at a time; what is made is kept after each. */
const batchSize = 32;
const forever = new AbortController().signal;

/** Vectors of texts in a folder, a file for each model and set, so that a model sees each text once. */
export const embedCached = async (
  folder: string,
  name: string,
  model: EmbeddingModel,
  texts: readonly string[],
  kind: "query" | "document",
): Promise<Float32Array[]> => {
  await mkdir(folder, { recursive: true });
  const dimensions = await model.dimensions(forever);
  const digest = createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 16);
  const file = Bun.file(join(folder, `${name}-${model.provider}-${model.model.replace(/\W/g, "_")}-${kind}-${digest}`));
  const size = 4 * dimensions * texts.length;
  const bytes = (await file.exists()) ? await file.arrayBuffer() : new ArrayBuffer(0);
  const all = new Float32Array(dimensions * texts.length);
  all.set(new Float32Array(bytes.slice(0, Math.min(size, bytes.byteLength))));
  const known = Math.floor(bytes.byteLength / (4 * dimensions));
  for (let start = known; start < texts.length; start += batchSize) {
    const vectors = await model.embed(texts.slice(start, start + batchSize), kind, forever);
    for (const [index, vector] of vectors.entries()) all.set(vector, (start + index) * dimensions);
    const end = Math.min(texts.length, start + batchSize);
    await Bun.write(file, new Uint8Array(all.buffer, 0, 4 * dimensions * end));
  }
  return texts.map((_, index) => all.subarray(index * dimensions, (index + 1) * dimensions));
};
