import { describe, expect, test } from "bun:test";
import { createEmbeddingCache } from "../../../src/ingest/index/embedding-cache.ts";

const vector = (value: number) => new Float32Array(4).fill(value);
/** Four numbers and what an entry takes beside them. */
const ENTRY = 4 * 4 + 250;

describe("embedding cache", () => {
  test("tells models and texts apart", () => {
    const cache = createEmbeddingCache(10 * ENTRY);
    cache.set("m", "text", vector(1));
    expect(cache.get("m", "text")).toEqual(vector(1));
    expect([cache.get("n", "text"), cache.get("m", "other"), cache.get("m\0te", "xt")]).toEqual([null, null, null]);
  });

  test("drops what was used longest ago", () => {
    const cache = createEmbeddingCache(2 * ENTRY);
    cache.set("m", "a", vector(1));
    cache.set("m", "b", vector(2));
    cache.get("m", "a");
    cache.set("m", "c", vector(3));
    expect(["a", "b", "c"].map((text) => cache.get("m", text)?.[0] ?? null)).toEqual([1, null, 3]);
  });

  test("does not hold on to the batch a vector came in", () => {
    const cache = createEmbeddingCache(10 * ENTRY);
    cache.set("m", "a", new Float32Array(1_000_000).subarray(0, 4));
    expect(cache.get("m", "a")?.buffer.byteLength).toBe(16);
  });

  test("replaces an entry without growing", () => {
    const cache = createEmbeddingCache(2 * ENTRY);
    for (let value = 0; value < 5; value++) cache.set("m", "a", vector(value));
    cache.set("m", "b", vector(9));
    expect([cache.get("m", "a")?.[0], cache.get("m", "b")?.[0]]).toEqual([4, 9]);
  });
});
