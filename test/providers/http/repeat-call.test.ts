import { expect, test } from "bun:test";
import type { Pace } from "../../../providers/http/repeat-call.ts";
import { askOnce } from "../../../providers/http/repeat-call.ts";
import { failure } from "../chat-conformance.ts";

const never = new AbortController().signal;

/** Asks somebody who answers when the test says so. */
const open = () => {
  const calls: { signal: AbortSignal; pace: Pace; end: PromiseWithResolvers<number> }[] = [];
  const ask = askOnce({ service: "embedding" }, (signal, pace) => {
    const end = Promise.withResolvers<number>();
    calls.push({ signal, pace, end });
    return end.promise;
  });
  return { ask, calls };
};

test("callers share a call, and its answer is kept", async () => {
  const { ask, calls } = open();
  const both = [ask(never), ask(never)];
  calls[0]?.end.resolve(7);
  expect(await Promise.all(both)).toEqual([7, 7]);
  expect(await ask(never, "patient")).toBe(7);
  expect(calls).toHaveLength(1);
});

test("a failure is not kept", async () => {
  const { ask, calls } = open();
  const failed = ask(never);
  calls[0]?.end.reject(new Error("gone"));
  await expect(failed).rejects.toThrow("gone");
  const again = ask(never);
  calls[1]?.end.resolve(7);
  expect(await again).toBe(7);
});

test("a caller in a hurry does not wait for a patient call", async () => {
  const { ask, calls } = open();
  const patient = ask(never, "patient");
  const hurried = ask(never, "hurried");
  expect(calls.map(({ pace }) => pace)).toEqual(["patient", "hurried"]);
  calls[1]?.end.resolve(7);
  expect(await hurried).toBe(7);
  calls[0]?.end.resolve(8);
  expect(await patient).toBe(8);
});

test("a caller leaves alone; when all have left the call is aborted, and who comes then asks anew", async () => {
  const { ask, calls } = open();
  const [first, second] = [new AbortController(), new AbortController()];
  const left = [failure(ask(first.signal)), failure(ask(second.signal))];
  first.abort();
  expect((await left[0])?.kind).toBe("aborted");
  expect(calls[0]?.signal.aborted).toBe(false);
  second.abort();
  expect((await left[1])?.kind).toBe("aborted");
  expect(calls[0]?.signal.aborted).toBe(true);
  const again = ask(never);
  calls[0]?.end.reject(new Error("late"));
  calls[1]?.end.resolve(7);
  expect(await again).toBe(7);
});
