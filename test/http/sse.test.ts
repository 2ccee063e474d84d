import { afterAll, describe, expect, test } from "bun:test";
import { ApiError } from "../../src/domain/errors.ts";
import { acceptsEvents, eventStream, frameEvent, type ServerEvent } from "../../src/http/sse.ts";

const servers: Bun.Server<undefined>[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop(true);
});

/** A listener whose every answer is the events that `produce` yields. */
const serve = (
  produce: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  options: Parameters<typeof eventStream>[2] = {},
): URL => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      try {
        return await eventStream(
          { request, requestId: "r1", baseUrl: "http://127.0.0.1", signal: request.signal },
          produce,
          options,
        );
      } catch (error) {
        return Response.json({ failed: String(error) }, { status: error instanceof ApiError ? error.status : 500 });
      }
    },
  });
  servers.push(server);
  return new URL("/api/query", server.url);
};

describe("eventStream", () => {
  test("sends each event as JSON on one line", async () => {
    const url = serve(async function* () {
      yield { event: "delta", data: { text: "one\r\ntwo\n\n" } };
      yield { event: "done", data: [] };
    });
    const response = await fetch(url);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await response.text()).toBe(
      'event: delta\ndata: {"text":"one\\r\\ntwo\\n\\n"}\n\nevent: done\ndata: []\n\n',
    );
  });

  test("a long event arrives whole, with nothing in between, and other work is done while it is written", async () => {
    const originalText = 'a "b"\n'.repeat(1_000_000);
    const url = serve(
      async function* () {
        yield { event: "done", data: { originalText, list: [1, null, "x"] } };
      },
      { heartbeatMs: 1 },
    );
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    const text = await (await fetch(url)).text();
    clearInterval(counting);
    expect(turns).toBeGreaterThan(10);
    const event = text.split("\n\n").find((block) => block.startsWith("event: done")) ?? "";
    expect(event.split("\n")).toHaveLength(2);
    expect(JSON.parse(event.slice("event: done\ndata: ".length))).toEqual({ originalText, list: [1, null, "x"] });
  });

  test("a failure after it is a last event with the problem document, and is told to the server", async () => {
    const told: unknown[] = [];
    const failure = new ApiError("model_timeout", "The model was silent for 60 s.");
    const url = serve(
      async function* () {
        yield { event: "delta", data: {} };
        throw failure;
      },
      { onError: (error) => told.push(error) },
    );
    const body = await (await fetch(url)).text();
    const [, last = ""] = body.split("event: error\ndata: ");
    expect(JSON.parse(last)).toEqual({
      type: "/docs/errors#model_timeout",
      title: "The model did not answer in time",
      status: 504,
      detail: "The model was silent for 60 s.",
      instance: "/api/query",
      code: "model_timeout",
      requestId: "r1",
    });
    expect(told).toEqual([failure]);
  });

  test("fills silence with comments", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const url = serve(
      async function* () {
        yield { event: "delta", data: 1 };
        await promise;
        yield { event: "done", data: 2 };
      },
      { heartbeatMs: 5 },
    );
    const reader = (await fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes(":\n\n:\n\n")) text += (await reader?.read())?.value ?? "";
    resolve();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      text += value;
    }
    expect(text).toStartWith(frameEvent({ event: "delta", data: 1 }));
    expect(text).toEndWith(frameEvent({ event: "done", data: 2 }));
  });

  test("a client that goes away ends the work", async () => {
    const ended = Promise.withResolvers<string>();
    const url = serve(async function* (signal) {
      try {
        yield { event: "delta", data: 1 };
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      } finally {
        ended.resolve(signal.aborted ? "aborted" : "left");
      }
    });
    const client = new AbortController();
    const response = await fetch(url, { signal: client.signal });
    await response.body?.getReader().read();
    client.abort();
    expect(await ended.promise).toBe("aborted");
  });

  test("a server that stops says so", async () => {
    const stop = new AbortController();
    const told: unknown[] = [];
    const request = new Request("http://127.0.0.1/api/query");
    const response = await eventStream(
      { request, requestId: "r1", baseUrl: "http://127.0.0.1", signal: stop.signal },
      async function* (signal) {
        yield { event: "delta", data: {} };
        stop.abort(new Error("deadline"));
        signal.throwIfAborted();
      },
      { onError: (error) => told.push(error) },
    );
    const [, last = ""] = (await response.text()).split("event: error\ndata: ");
    expect(JSON.parse(last)).toMatchObject({ code: "draining", status: 503 });
    expect(told).toEqual([]);
  });

  test("is pulled by the reader: nothing is made for one who does not read", async () => {
    let made = 0;
    const request = new Request("http://127.0.0.1/api/query");
    const response = await eventStream(
      { request, requestId: "r1", baseUrl: "http://127.0.0.1", signal: request.signal },
      async function* () {
        for (; made < 1000; made++) yield { event: "delta", data: made };
      },
    );
    await Bun.sleep(0);
    expect(made).toBeLessThan(5);
    await response.body?.cancel();
    expect(made).toBeLessThan(5);
  });
});

test.each([
  ["text/event-stream", true],
  ["application/json, text/event-stream;q=0.9", true],
  ["TEXT/Event-Stream; charset=utf-8", true],
  ["text/event-stream;q=0", false],
  ["text/event-stream; q=0.000", false],
  ["application/json", false],
  ["*/*", false],
])("Accept: %s", (accept, expected) => {
  expect(acceptsEvents(new Request("http://127.0.0.1/", { headers: { accept } }))).toBe(expected);
});
