import { expect, test } from "bun:test";
import { createBell, ringOrPause } from "../../src/async/bell.ts";

const { signal: never } = new AbortController();
const hourMs = 3_600_000;

test("waits for a ring, without a time and within one", async () => {
  const bell = createBell();
  for (const ms of [null, hourMs]) {
    let isOver = false;
    const waited = ringOrPause(bell, bell.rings, ms, never).then(() => {
      isOver = true;
    });
    await Bun.sleep(5);
    expect(isOver).toBe(false);
    bell.ring();
    await waited;
  }
});

test("a ring since the count was read ends it at once; so do the time and the signal", async () => {
  const bell = createBell();
  const before = bell.rings;
  bell.ring();
  await ringOrPause(bell, before, hourMs, never);
  await ringOrPause(bell, bell.rings, 1, never);
  const stop = new AbortController();
  const stopped = ringOrPause(bell, bell.rings, null, stop.signal);
  stop.abort();
  await stopped;
});
