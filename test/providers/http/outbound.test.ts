import { afterEach, describe, expect, test } from "bun:test";
import { createConfiguredOutbound } from "../../../providers/http/outbound.ts";
import type { Pace } from "../../../providers/http/repeat-call.ts";
import { onFreePort } from "../../free-port.ts";
import { until } from "../../until.ts";
import { failure } from "../chat-conformance.ts";

let server: ReturnType<typeof Bun.serve> | null = null;
afterEach(() => server?.stop(true));

const never = new AbortController().signal;
const busy = (retryAfter: string) => new Response("busy", { status: 429, headers: { "retry-after": retryAfter } });

/** A server that gives these answers in order, the last one again and again. */
const serve = (answers: readonly (() => Response)[], timeoutMs = 5_000) => {
  let requests = 0;
  const fetch = () => (answers[requests++] ?? answers.at(-1))?.() ?? new Response("");
  server = onFreePort((port) => Bun.serve({ hostname: "127.0.0.1", port, fetch }));
  const outbound = createConfiguredOutbound(
    "embedding",
    { apiKey: null, timeoutMs },
    `http://127.0.0.1:${server.port}`,
  );
  const call = (signal: AbortSignal, pace?: Pace) =>
    outbound.fetchFor(signal, pace === undefined ? {} : { pace })(outbound.baseUrl);
  return { call, requests: () => requests };
};

describe("a busy server", () => {
  test("is asked three times", async () => {
    const { call, requests } = serve([() => busy("0")]);
    expect((await failure(call(never))).kind).toBe("rate_limited");
    expect(requests()).toBe(3);
  });

  test("is waited for if it says how long and there is time", async () => {
    const { call, requests } = serve([() => busy("0.2"), () => new Response("here")]);
    const began = performance.now();
    expect(await (await call(never)).text()).toBe("here");
    expect(performance.now() - began).toBeGreaterThan(190);
    expect(requests()).toBe(2);
  });

  test.each(["1e22", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "that asks for %s is believed for a day",
    async (retryAfter) => {
      const { call } = serve([() => busy(retryAfter)]);
      expect((await failure(call(never))).retryAfterMs).toBe(24 * 60 * 60 * 1000);
    },
  );

  test("is not waited for longer than the time limit", async () => {
    const { call, requests } = serve([() => busy("60")]);
    expect((await failure(call(never))).retryAfterMs).toBe(60_000);
    expect(requests()).toBe(1);
  });

  test("is not waited for by a hurried call, unless it asks for less than a second", async () => {
    const hurried = serve([() => busy("5")]);
    expect((await failure(hurried.call(never, "hurried"))).retryAfterMs).toBe(5_000);
    expect(hurried.requests()).toBe(1);
    await server?.stop(true);
    const briefly = serve([() => busy("0.1"), () => new Response("here")]);
    expect(await (await briefly.call(never, "hurried")).text()).toBe("here");
  });

  test("a caller that leaves during the pause is released at once, and nothing is sent for it", async () => {
    const { call, requests } = serve([() => busy("3"), () => new Response("late")]);
    const leaving = new AbortController();
    let isReleased = false;
    const left = failure(call(leaving.signal)).finally(() => {
      isReleased = true;
    });
    await until(() => requests() === 1);
    await Bun.sleep(100);
    expect(isReleased).toBe(false);
    const pauseEnds = performance.now() + 3_000;
    leaving.abort();
    expect((await left).kind).toBe("aborted");
    expect(performance.now()).toBeLessThan(pauseEnds);
    await until(() => performance.now() > pauseEnds + 200);
    expect(requests()).toBe(1);
  });
});

describe("a server that fails", () => {
  const broken = () => new Response("broken", { status: 500 });

  test("is asked once by a caller who waits, and again by a patient one", async () => {
    const hurried = serve([broken]);
    expect((await failure(hurried.call(never))).kind).toBe("bad_answer");
    expect(hurried.requests()).toBe(1);
    await server?.stop(true);
    const patient = serve([broken, broken, () => new Response("here")]);
    expect(await (await patient.call(never, "patient")).text()).toBe("here");
    expect(patient.requests()).toBe(3);
  });

  test("uses up the patience of all callers, until a call succeeds", async () => {
    const { call, requests } = serve([broken, broken, broken, () => new Response("here"), broken], 600);
    await failure(call(never, "patient"));
    const spent = requests();
    await failure(call(never, "patient"));
    expect(requests()).toBe(spent + 1);
    await (await call(never, "patient")).text();
    await failure(call(never, "patient"));
    expect(requests()).toBeGreaterThan(spent + 3);
  });
});

test("a server that is away is left alone after three failures; a patient call waits for the end of that rest", async () => {
  const { call } = serve([() => new Response("here")], 10_000);
  const port = server?.port ?? 0;
  await server?.stop(true);
  for (let count = 0; count < 3; count++) expect((await failure(call(never))).message).toContain("connection refused");
  server = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response("back") });
  const refused = await failure(call(never));
  expect(refused.kind).toBe("unreachable");
  expect(refused.message).toContain("is not called for a moment; its last failure: The model server at");
  expect(await (await call(never, "patient")).text()).toBe("back");
  expect(await (await call(never)).text()).toBe("back");
});
