import { expect, test } from "bun:test";
import { createLifecycle, type RequestAtWork } from "../../src/http/lifecycle.ts";

const request = (requestId: string, startedAt = performance.now()): RequestAtWork => ({
  requestId,
  method: "GET",
  startedAt,
  route: () => "/api/document/:id",
});

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
  const leave = lifecycle.enter(() => cut.push("first"), request("a"));
  const draining = lifecycle.drain(60_000);
  expect(lifecycle.active).toBe(1);
  leave();
  leave();
  expect(lifecycle.active).toBe(0);
  expect(await draining).toBe(0);
  expect(cut).toEqual([]);
  expect(lifecycle.signal.aborted).toBe(true);
});

test("at work are the requests that run and, once, the long ones that have ended", () => {
  const lifecycle = createLifecycle();
  const ids = (minMs: number) => lifecycle.atWork(minMs).map(({ requestId }) => requestId);
  lifecycle.enter(() => {}, request("short"))();
  lifecycle.enter(() => {}, request("long", performance.now() - 3_000))();
  lifecycle.enter(() => {}, request("running"));
  expect(ids(1_000)).toEqual(["long", "running"]);
  expect(ids(1_000)).toEqual(["running"]);
  lifecycle.enter(() => {}, request("not so long", performance.now() - 700))();
  expect(ids(1_000)).toEqual(["running"]);
});
