import { expect, test } from "bun:test";
import { mapInSlices } from "../../src/async/yield.ts";

test("the results are those of a map, in its order", async () => {
  expect(await mapInSlices(["a", "b", "c"], (letter, index) => `${letter}${index}`)).toEqual(["a0", "b1", "c2"]);
  expect(await mapInSlices([], () => 1)).toEqual([]);
});

test("other work has its turn before the end", async () => {
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 1);
  const busy = (): void => {
    for (const until = performance.now() + 2; performance.now() < until; );
  };
  const seen = await mapInSlices(Array.from({ length: 40 }), () => {
    busy();
    return turns;
  });
  clearInterval(other);
  expect(seen.at(-1)).toBeGreaterThan(0);
});
