import { createHash } from "node:crypto";

/**
 * Vectors of chunks embedded lately, by model and text, so that the same content costs its model nothing the second
 * time. Bounded in bytes; what was used longest ago goes first.
 */
export interface EmbeddingCache {
  get(model: string, text: string): Float32Array | null;
  set(model: string, text: string, vector: Float32Array): void;
}

/** What an entry takes beside its numbers: key, map slot, array header. */
const ENTRY_BYTES = 250;

export const createEmbeddingCache = (maxBytes: number): EmbeddingCache => {
  const vectors = new Map<string, Float32Array>();
  let bytes = 0;
  const keyOf = (model: string, text: string): string =>
    createHash("sha256").update(model).update("\0").update(text).digest("base64");
  const sizeOf = (vector: Float32Array): number => vector.byteLength + ENTRY_BYTES;

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
      // A copy: a model may hand out views into one large batch, and a view keeps all of it.
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
