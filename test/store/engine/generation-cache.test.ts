import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { createGenerationCache } from "../../../src/store/engine/generation-cache.ts";

test("an answer is cached until the data changes, a failure never", async () => {
  const cache = createGenerationCache(10);
  let made = 0;
  const make = async () => {
    made += 1;
    return made;
  };
  const get = (owner: string, key: string) => cache.get(owner, key, make);
  expect([await get("x", "a"), await get("x", "a"), await get("x", "b"), await get("y", "a")]).toEqual([1, 1, 2, 3]);
  cache.clear("x");
  expect([await get("x", "a"), await get("y", "a")]).toEqual([4, 3]);
  cache.clear();
  expect([await get("x", "a"), await get("y", "a")]).toEqual([5, 6]);
  const failing = () => Promise.reject(new Error("no"));
  expect(await cache.get("x", "c", failing).catch(() => "failed")).toBe("failed");
  expect(await get("x", "c")).toBe(7);
});

test("an answer that was being made when the data changed is not cached", async () => {
  const cache = createGenerationCache(10);
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = cache.get("x", "a", () => promise);
  cache.clear("x");
  resolve("old");
  expect(await asked).toBe("old");
  expect(await cache.get("x", "a", async () => "new")).toBe("new");
});

test("with as many answers as are allowed the cache is emptied, whoever owns them", async () => {
  const cache = createGenerationCache(4);
  let made = 0;
  const get = (owner: string, key: string) => cache.get(owner, key, async () => ++made);
  for (const owner of ["x", "y"]) for (const key of ["a", "b"]) await get(owner, key);
  expect([await get("x", "a"), made]).toEqual([1, 4]);
  await get("y", "c");
  expect(await get("x", "a")).toBe(6);
});

test("long keys take no more memory than short ones", async () => {
  const cache = createGenerationCache(10_000);
  const heldBytes = () => {
    Bun.gc(true);
    const { heapSize, extraMemorySize } = heapStats();
    return heapSize + extraMemorySize;
  };
  const before = heldBytes();
  for (let at = 0; at < 2_000; at += 1) await cache.get("x", Buffer.alloc(65_536, `${at} `).toString(), async () => at);
  expect(await cache.get("x", Buffer.alloc(65_536, "7 ").toString(), async () => -1)).toBe(7);
  expect(heldBytes() - before).toBeLessThan(20_000_000);
});
