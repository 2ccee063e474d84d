import { expect, test } from "bun:test";
import { inParallel } from "../../src/async/in-parallel.ts";

test("so many at a time, results in order", async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([5, 1, 4, 2, 3], 2, async (item, index) => {
    most = Math.max(most, ++running);
    await Bun.sleep(item);
    running--;
    return [item, index];
  });
  expect(results).toEqual([
    [5, 0],
    [1, 1],
    [4, 2],
    [2, 3],
    [3, 4],
  ]);
  expect(most).toBe(2);
});

test("a failure ends it, after what is under way", async () => {
  const started: number[] = [];
  const work = inParallel([0, 1, 2, 3, 4, 5], 2, async (item) => {
    started.push(item);
    await Bun.sleep(1);
    if (item === 1) throw new Error("broken");
  });
  await expect(work).rejects.toThrow("broken");
  expect(started).not.toContain(5);
});
