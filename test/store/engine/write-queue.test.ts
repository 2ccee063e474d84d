import { expect, test } from "bun:test";
import { createCommitPace } from "../../../src/store/engine/write-queue.ts";

test("the first commits beside work need not wait; then one is due every tenth of a second", () => {
  let now = 1_000;
  const pace = createCommitPace(() => now);
  const waits = (commits: number): number[] =>
    Array.from({ length: commits }, () => {
      const wait = pace.waitMs();
      now += wait;
      pace.noteCommit();
      return wait;
    });
  pace.begin();
  expect(waits(25)).toEqual(new Array(25).fill(0));
  expect(waits(3)).toEqual([100, 100, 100]);
  now += 30;
  expect(waits(2)).toEqual([70, 100]);
});

test("commits that keep to the pace by themselves never wait, and each work begins anew", () => {
  let now = 0;
  const pace = createCommitPace(() => now);
  pace.begin();
  for (let commit = 0; commit < 200; commit++) {
    expect(pace.waitMs()).toBe(0);
    pace.noteCommit();
    now += 100;
  }
  for (let commit = 0; commit < 30; commit++) pace.noteCommit();
  expect(pace.waitMs()).toBeGreaterThan(0);
  pace.begin();
  expect(pace.waitMs()).toBe(0);
});
