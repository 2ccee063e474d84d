import { expect, test } from "bun:test";
import { unlessAborted } from "../../src/async/waiting.ts";

test("gives the result of the work, or its failure", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(unlessAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
});

test("a signal that fires ends the wait, and a later failure of the work is nobody's", async () => {
  const abort = new AbortController();
  const work = Promise.withResolvers<number>();
  const result = unlessAborted(work.promise, abort.signal);
  abort.abort(new Error("enough"));
  await expect(result).rejects.toThrow("enough");
  work.reject(new Error("too late"));
  await Bun.sleep(0);
});

test("with a signal that has fired already, the work is not waited for", async () => {
  const never = new Promise<number>(() => undefined);
  await expect(unlessAborted(never, AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
});
