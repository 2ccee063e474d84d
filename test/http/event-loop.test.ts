import { expect, spyOn, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type Endpoint, endpoint } from "../../src/http/endpoint.ts";
import { watchEventLoop } from "../../src/http/event-loop.ts";
import { createLogger } from "../../src/log/log.ts";
import { startTestServer } from "../start-server.ts";
import { eventually, until } from "../until.ts";
import { startApp } from "./start-app.ts";

const block = (forMs: number): void => {
  const until = performance.now() + forMs;
  while (performance.now() < until);
};

const blockingEndpoint = endpoint({
  method: "POST",
  operationId: "block",
  path: "/api/blocking/:id",
  access: "writer",
  tag: "Test",
  summary: "Holds up everything",
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ forMs: Type.Integer() }),
  responses: { 200: Type.Object({}) },
  errors: [],
  handle({ body }) {
    block(body.forMs);
    return {};
  },
}) as Endpoint;

test("a delay of over a second is logged with the requests at work, and with nothing they sent", async () => {
  const lines: string[] = [];
  const app = await startApp({ endpoints: () => [blockingEndpoint] });
  const log = createLogger({ level: "info", format: "json" }, (line) => lines.push(line));
  const watch = watchEventLoop({ lifecycle: app.deps.lifecycle, log });
  const hold = (id: string, forMs: number) =>
    app.call("POST", `/api/blocking/${id}?secret=hush`, {
      json: { forMs },
      headers: { "x-request-id": `request-${id}` },
    });
  try {
    await hold("short", 300);
    await Bun.sleep(1_300);
    // Another program may hold up this machine for longer than a second: only that is told then.
    expect(lines.filter((line) => JSON.parse(line).delayMs <= 1_000)).toEqual([]);
    lines.length = 0;
    await hold("long", 1_500);
    await until(() => lines.length > 0);
    expect(lines).toHaveLength(1);
    const said = JSON.parse(lines[0] ?? "");
    expect(said).toMatchObject({
      level: "warn",
      requests: [{ requestId: "request-long", method: "POST", route: "/api/blocking/:id" }],
    });
    expect(said.delayMs).toBeGreaterThan(1_000);
    expect(said.requests[0].elapsedMs).toBeGreaterThan(1_000);
    expect(lines[0]).not.toContain("hush");
    expect(watch.maxDelayMs()).toBeGreaterThan(1_000);
  } finally {
    watch.stop();
  }
});

/** Of a server that answers nothing; `enter` is what a request does when it comes. */
const idleLifecycle = () => {
  let entered = () => {};
  const lifecycle = {
    active: 0,
    atWork: () => [],
    onEnter(listener: () => void) {
      entered = listener;
      return () => {};
    },
    state: "ready" as const,
  };
  return { lifecycle, enter: () => entered() };
};

test("no sample is taken until a request comes", () => {
  const { lifecycle, enter } = idleLifecycle();
  const samples = spyOn(globalThis, "setInterval");
  const log = createLogger({ level: "silent", format: "json" });
  const watch = watchEventLoop({ lifecycle, log });
  const periods = () => samples.mock.calls.map(([, ms]) => ms);
  try {
    expect(periods()).toEqual([]);
    enter();
    enter();
    expect(periods()).toEqual([50]);
  } finally {
    watch.stop();
    samples.mockRestore();
  }
});

test("at rest it looks every few seconds, and every second from a request on", () => {
  const { lifecycle, enter } = idleLifecycle();
  const checks: { run: () => void; ms: number }[] = [];
  const timers = spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
    checks.push({ run, ms });
    return { unref() {} };
  }) as never);
  const clears = spyOn(globalThis, "clearTimeout").mockImplementation(() => {});
  const watch = watchEventLoop({ lifecycle, log: createLogger({ level: "silent", format: "json" }) });
  try {
    expect(checks.map(({ ms }) => ms)).toEqual([1_000]);
    // The time since the last check is none here: a share of it that counts as work is none either.
    const meter = spyOn(process, "cpuUsage").mockReturnValue({ user: 0, system: 0 });
    const clock = spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
    checks.at(-1)?.run();
    meter.mockRestore();
    clock.mockRestore();
    expect(checks.at(-1)?.ms).toBeGreaterThanOrEqual(2_500);
    enter();
    expect(checks.at(-1)?.ms).toBe(1_000);
    const before = checks.length;
    enter();
    expect(checks).toHaveLength(before);
  } finally {
    watch.stop();
    timers.mockRestore();
    clears.mockRestore();
  }
});

test("the gauge of the server shows it", async () => {
  const server = await startTestServer();
  const lag = async () =>
    Number(/^carrel_event_loop_lag_seconds (\S+)$/m.exec(await (await server.call("/metrics")).text())?.[1]);
  expect(await lag()).toBeLessThan(5);
  block(1_200);
  await eventually(async () => expect(await lag()).toBeGreaterThan(1));
});
