import { expect, test } from "bun:test";
import { graceAfter } from "../../src/async/waiting.ts";
import { until } from "../until.ts";

test("fires after the other signal, with its reason", async () => {
  const stop = new AbortController();
  const grace = graceAfter(stop.signal, 5);
  const reason = new Error("enough");
  stop.abort(reason);
  expect(grace.signal.aborted).toBe(false);
  await until(() => grace.signal.aborted);
  expect(grace.signal.reason).toBe(reason);
  grace.end();
});

test("fires also where the other signal had fired before", async () => {
  const grace = graceAfter(AbortSignal.abort("stopped"), 5);
  expect(grace.signal.aborted).toBe(false);
  await until(() => grace.signal.aborted);
  grace.end();
});

test("never fires once the work is done, nor while the other signal does not", async () => {
  const stop = new AbortController();
  const [done, waiting] = [graceAfter(stop.signal, 1), graceAfter(new AbortController().signal, 1)];
  done.end();
  stop.abort();
  const ended = graceAfter(stop.signal, 1);
  ended.end();
  const after = graceAfter(stop.signal, 20);
  await until(() => after.signal.aborted);
  after.end();
  expect([done, waiting, ended].map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
});
