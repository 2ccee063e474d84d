import { expect, test } from "bun:test";
import { createNotifier, notifiedOrPause } from "../../src/async/waiting.ts";

const { signal: never } = new AbortController();
const hourMs = 3_600_000;

test("waits for a notice, without a time and within one", async () => {
  const notifier = createNotifier();
  for (const ms of [null, hourMs]) {
    let isOver = false;
    const waited = notifiedOrPause(notifier, notifier.count, ms, never).then(() => {
      isOver = true;
    });
    await Bun.sleep(5);
    expect(isOver).toBe(false);
    notifier.notify();
    await waited;
  }
});

test("a notice since the count was read ends it at once; so do the time and the signal", async () => {
  const notifier = createNotifier();
  const before = notifier.count;
  notifier.notify();
  await notifiedOrPause(notifier, before, hourMs, never);
  await notifiedOrPause(notifier, notifier.count, 1, never);
  const stop = new AbortController();
  const stopped = notifiedOrPause(notifier, notifier.count, null, stop.signal);
  stop.abort();
  await stopped;
});
