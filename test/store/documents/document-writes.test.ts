import { expect, test } from "bun:test";
import { createIndexWait } from "../../../src/store/documents/document-writes.ts";

const { signal } = new AbortController();

test("nothing waits for an index that is not behind, and what waits goes on when it has caught up", async () => {
  let isBehind = false;
  const wait = createIndexWait(() => isBehind);
  await wait({ maxMs: 60_000, isInLine: true }, signal);
  isBehind = true;
  const waiting = wait({ maxMs: 60_000, isInLine: true }, signal);
  isBehind = false;
  await waiting;
});

test("callers wait no longer than their time; of those in line one is let through each time", async () => {
  const wait = createIndexWait(() => true);
  const endOf = async (isInLine: boolean) => {
    await wait({ maxMs: 500, isInLine }, signal);
    return performance.now();
  };
  const beganAt = performance.now();
  const line = Promise.all([endOf(true), endOf(true), endOf(true)]);
  for (const end of await Promise.all([endOf(false), endOf(false)])) expect(end - beganAt).toBeGreaterThanOrEqual(500);
  const ends = (await line).toSorted((one, other) => one - other);
  for (const [at, end] of ends.entries()) expect(end - (ends[at - 1] ?? beganAt)).toBeGreaterThanOrEqual(499);
});

test("an abort ends the wait", async () => {
  const stop = new AbortController();
  const waiting = createIndexWait(() => true)({ maxMs: 60_000, isInLine: true }, stop.signal);
  stop.abort();
  await waiting;
});
