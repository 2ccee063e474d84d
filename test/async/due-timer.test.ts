import { expect, jest, setSystemTime, test } from "bun:test";
import { createDueTimer, pauseUntil } from "../../src/async/waiting.ts";

const day = 24 * 3_600_000;

const atTime = (work: (pass: (ms: number) => void) => void): void => {
  jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  try {
    work((ms) => void jest.advanceTimersByTime(ms));
  } finally {
    jest.useRealTimers();
  }
};

test("calls back at the moment, however far away it is, and once", () =>
  atTime((pass) => {
    const calls: number[] = [];
    createDueTimer(() => calls.push(Date.now())).set(Date.now() + 60 * day);
    const start = Date.now();
    for (let hour = 0; hour < 60 * 24 - 1; hour += 1) pass(3_600_000);
    expect(calls).toEqual([]);
    pass(3_600_000);
    pass(day);
    expect(calls).toEqual([start + 60 * day]);
  }));

test("a moment that has passed is called back at once; the one set last counts; null takes it back", () =>
  atTime((pass) => {
    let calls = 0;
    const timer = createDueTimer(() => {
      calls += 1;
    });
    timer.set(Date.now() - day);
    pass(1);
    expect(calls).toBe(1);
    timer.set(Date.now() + 1_000);
    timer.set(Date.now() + 2_000);
    pass(1_500);
    expect(calls).toBe(1);
    timer.set(null);
    pass(day);
    expect(calls).toBe(1);
  }));

test("a clock that is put back does not put the moment off", async () => {
  const never = new AbortController().signal;
  try {
    const paused = pauseUntil(Date.now() + 30, never);
    setSystemTime(new Date(Date.now() - 3_650 * day));
    await paused;
  } finally {
    setSystemTime();
  }
});

test("a pause until a moment ends there, at once where it has passed, and when the signal fires", async () => {
  const never = new AbortController().signal;
  const dueAt = Date.now() + 20;
  await pauseUntil(dueAt, never);
  expect(Date.now()).toBeGreaterThanOrEqual(dueAt);
  await pauseUntil(Date.now() - day, never);
  const stop = new AbortController();
  const paused = pauseUntil(Date.now() + day, stop.signal);
  stop.abort();
  await paused;
  await pauseUntil(Date.now() + day, stop.signal);
});
