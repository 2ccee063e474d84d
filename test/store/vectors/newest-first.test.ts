import { expect, test } from "bun:test";
import { createNewestFirst } from "../../../src/store/vectors/newest-first.ts";

test("entries come newest first whatever their order, and the dead ones are left out", () => {
  const live = new Set<{ id: string; createdAt: number }>();
  const order = createNewestFirst<{ id: string; createdAt: number }>(
    (entry) => live.has(entry),
    () => live.size,
  );
  const expected = () => [...live].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 6_000; round += 1) {
    const entry = { id: `${round % 97}`, createdAt: random(500) };
    live.add(entry);
    order.add(entry);
    if (round % 3 > 0) for (const dead of [...live].slice(0, 1 + (round % 2))) live.delete(dead);
    if (round % 250 === 0) expect(order.take(20)).toEqual(expected().slice(0, 20));
  }
  expect(order.take(100_000)).toEqual(expected());
  live.clear();
  expect(order.take(10)).toEqual([]);
});
