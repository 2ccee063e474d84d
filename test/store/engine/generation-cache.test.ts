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
  expect([await cache.get("a", make), await cache.get("a", make), await cache.get("b", make)]).toEqual([1, 1, 2]);
  cache.clear();
  expect(await cache.get("a", make)).toBe(3);
  const failing = () => Promise.reject(new Error("no"));
  expect(await cache.get("c", failing).catch(() => "failed")).toBe("failed");
  expect(await cache.get("c", make)).toBe(4);
});

test("long keys take no more memory than short ones", async () => {
  const cache = createGenerationCache(10_000);
  const heldBytes = () => {
    Bun.gc(true);
    const { heapSize, extraMemorySize } = heapStats();
    return heapSize + extraMemorySize;
  };
  const before = heldBytes();
  for (let at = 0; at < 2_000; at += 1) await cache.get(Buffer.alloc(65_536, `${at} `).toString(), async () => at);
  expect(await cache.get(Buffer.alloc(65_536, "7 ").toString(), async () => -1)).toBe(7);
  expect(heldBytes() - before).toBeLessThan(20_000_000);
});
