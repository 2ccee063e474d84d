import { createHash } from "node:crypto";

/**
 * Vectors of recently embedded chunks, by model and text, so that the same content is not embedded twice. Bounded in
 * bytes; the least recently used entry is dropped first.
 */
export interface EmbeddingCache {
  get(model: string, text: string): Float32Array | null;
  set(model: string, text: string, vector: Float32Array): void;
}

/** Memory of an entry beside its numbers: key, map slot, array header. */
const entryBytes = 250;

export const createEmbeddingCache = (maxBytes: number): EmbeddingCache => {
  const vectors = new Map<string, Float32Array>();
  let bytes = 0;
  const keyOf = (model: string, text: string): string =>
    createHash("sha256").update(model).update("\0").update(text).digest("base64");
  const sizeOf = (vector: Float32Array): number => vector.byteLength + entryBytes;

  return {
    get(model, text) {
      const key = keyOf(model, text);
      const vector = vectors.get(key);
      if (vector === undefined) return null;
      vectors.delete(key);
      vectors.set(key, vector);
      return vector;
    },
    set(model, text, vector) {
      const key = keyOf(model, text);
      const known = vectors.get(key);
      if (known !== undefined) {
        bytes -= sizeOf(known);
        vectors.delete(key);
      }
      // A copy: a model may return views into one large batch, and a view keeps the whole batch in memory.
      const kept = vector.slice();
      vectors.set(key, kept);
      bytes += sizeOf(kept);
      for (const [oldest, dropped] of vectors) {
        if (bytes <= maxBytes) return;
        vectors.delete(oldest);
        bytes -= sizeOf(dropped);
      }
    },
  };
};
