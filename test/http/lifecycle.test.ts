import { expect, test } from "bun:test";
import { createLifecycle } from "../../src/http/lifecycle.ts";

test("from starting to ready to draining, and never back", async () => {
  const lifecycle = createLifecycle();
  expect(lifecycle.state).toBe("starting");
  lifecycle.ready();
  expect(lifecycle.state).toBe("ready");
  expect(await lifecycle.drain(1_000)).toBe(0);
  lifecycle.ready();
  expect(lifecycle.state).toBe("draining");
});

test("a drain ends when the last request does, before its deadline", async () => {
  const lifecycle = createLifecycle();
  const cut: string[] = [];
  const leave = lifecycle.enter(() => cut.push("first"));
  const draining = lifecycle.drain(60_000);
  expect(lifecycle.active).toBe(1);
  leave();
  leave();
  expect(lifecycle.active).toBe(0);
  expect(await draining).toBe(0);
  expect(cut).toEqual([]);
  expect(lifecycle.signal.aborted).toBe(true);
});

test("what still runs at the deadline is told and counted", async () => {
  const lifecycle = createLifecycle();
  const cut: string[] = [];
  const leave = lifecycle.enter(() => {
    cut.push("slow");
    leave();
  });
  lifecycle.enter(() => {})();
  expect(await lifecycle.drain(5)).toBe(1);
  expect(cut).toEqual(["slow"]);
});
