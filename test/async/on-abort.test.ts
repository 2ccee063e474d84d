import { expect, test } from "bun:test";
import { onAbort } from "../../src/async/waiting.ts";

test("all that wait on a signal are called, once, in the order they asked", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const same = () => called.push("same");
  onAbort(controller.signal, () => called.push("first"));
  onAbort(controller.signal, same);
  onAbort(controller.signal, same);
  controller.abort();
  controller.abort();
  expect(called).toEqual(["first", "same", "same"]);
});

test("what was taken back is not called, also where another callback takes it back", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const forget = onAbort(controller.signal, () => called.push("taken back before"));
  forget();
  forget();
  const forgets: (() => void)[] = [];
  onAbort(controller.signal, () => {
    called.push("first");
    for (const take of forgets) take();
  });
  forgets.push(onAbort(controller.signal, () => called.push("taken back meanwhile")));
  controller.abort();
  expect(called).toEqual(["first"]);
});

test("signals have nothing to do with each other", () => {
  const one = new AbortController();
  const other = new AbortController();
  const called: string[] = [];
  onAbort(one.signal, () => called.push("one"));
  onAbort(other.signal, () => called.push("other"));
  other.abort();
  expect(called).toEqual(["other"]);
});
