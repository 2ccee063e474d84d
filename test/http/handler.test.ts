import { describe, expect, test } from "bun:test";
import { createLogger, type Logger } from "../../src/log/log.ts";
import { eventually, until } from "../until.ts";
import { echoEndpoints } from "./echo-endpoint.ts";
import { rawRequest } from "./raw-request.ts";
import { answerOf, startApp } from "./start-app.ts";

const lines: string[] = [];
const log: Logger = createLogger({ level: "info", format: "json" }, (line) => lines.push(line));

const app = await startApp({
  log,
  endpoints: echoEndpoints,
  configure(config) {
    config.server.allowedOrigins = ["https://console.example"];
    config.publicChats.allowedOrigins = ["https://shop.example"];
    config.server.trustedProxies = ["127.0.0.0/8"];
  },
});

describe("whole error bodies", () => {
  const cases: [string, string, string, Parameters<typeof app.call>[2]][] = [
    ["limits out of range", "GET", "/api/partition?limit=101&skip=-1&sortOrder=up", {}],
    ["wrong types", "POST", "/api/echo", { json: { name: ["secret"], count: "secret", metadata: "secret" } }],
    ["broken JSON", "POST", "/api/echo", { body: '{"secret', headers: { "content-type": "application/json" } }],
    ["a fault of the server", "GET", "/api/failing", {}],
  ];
  test.each(cases)("%s", async (_, method, path, options) => {
    expect(await answerOf(await app.call(method, path, options ?? {}))).toMatchSnapshot();
  });

  test("a reader may not write; the 401 comes before the body is looked at", async () => {
    const body = { body: "{", headers: { "content-type": "application/json" } };
    expect(await answerOf(await app.call("POST", "/api/echo", { key: app.keys.reader, ...body }))).toMatchSnapshot();
    const unknown = await app.call("POST", "/api/echo", { key: null, ...body });
    expect([unknown.status, unknown.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  test("what fails unforeseen is in the log with its stack, not in the answer", async () => {
    lines.length = 0;
    const response = await app.call("GET", "/api/failing");
    expect(await response.text()).not.toContain("passwd");
    const line = lines.find((one) => one.includes("request failed")) ?? "";
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      requestId: response.headers.get("x-request-id"),
      err: { message: "crl_secret in /etc/passwd", stack: expect.stringContaining("echo-endpoint.ts") },
    });
  });
});

describe("headers", () => {
  test("every kind of answer is guarded", async () => {
    for (const [method, path] of [
      ["GET", "/health/live"],
      ["GET", "/api/nothing"],
      ["GET", "/docs"],
      ["GET", "/"],
      ["OPTIONS", "/api/partition"],
    ] as const) {
      const { headers } = await app.call(method, path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-request-id")).toBeString();
    }
  });

  test("the scheme counts in any case", async () => {
    for (const scheme of ["bearer", "BEARER", "Bearer"]) {
      const headers = { authorization: `${scheme} ${app.keys.reader}` };
      expect((await app.call("GET", "/api/partition", { key: null, headers })).status).toBe(200);
    }
  });

  test("the client is who the trusted proxy says", async () => {
    const headers = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "docs.example",
    };
    expect(await (await app.call("GET", "/api/visitor", { key: null, headers })).json()).toEqual({
      userId: null,
      clientAddress: "203.0.113.9",
      baseUrl: "https://docs.example",
    });
  });
});

describe("routing", () => {
  test("with a slash at the end, with short and odd hosts, without one", async () => {
    expect((await app.call("GET", "/api/partition/")).status).toBe(200);
    expect((await app.call("GET", "/openapi.json/")).status).toBe(200);
    const head = `GET /api/partition/search?searchValue=a HTTP/1.1\r\nAuthorization: Bearer ${app.keys.admin}\r\n`;
    for (const host of ["nas", "pi:7373", "a..b", "x_y"]) {
      expect(await rawRequest(app.port, `${head}Host: ${host}\r\n\r\n`)).toStartWith("HTTP/1.1 200");
    }
    const old = `GET /api/partition/search?searchValue=a HTTP/1.0\r\nAuthorization: Bearer ${app.keys.admin}\r\n\r\n`;
    expect(await rawRequest(app.port, old)).toStartWith("HTTP/1.1 200");
    const body = JSON.stringify({ name: "x".repeat(200), text: "y".repeat(200_000) });
    const post = `POST /api/echo HTTP/1.0\r\nAuthorization: Bearer ${app.keys.admin}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await rawRequest(app.port, post)).toContain(body);
  });

  test("a path that there is not is a page for people who typed it, a problem for programs", async () => {
    const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const page = await app.call("GET", "/document", { key: null, headers });
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain('<a href="/">');
    for (const [path, accept] of [
      ["/document", "*/*"],
      ["/api/nothing", headers.accept],
      ["/v1/nothing", headers.accept],
    ] as const) {
      const { status, body } = await answerOf(await app.call("GET", path, { key: null, headers: { accept } }));
      expect([path, status, typeof body]).toEqual([path, 404, "object"]);
    }
  });

  test("HEAD tells the length of what GET answers", async () => {
    const raw = `HEAD /health/live HTTP/1.1\r\nHost: nas\r\nConnection: close\r\n\r\n`;
    const answer = await rawRequest(app.port, raw);
    expect(answer.toLowerCase()).toContain("content-length: 17");
    expect(answer).toEndWith("\r\n\r\n");
  });

  test("HEAD of a stream gives the stream up", async () => {
    const before = app.deps.lifecycle.active;
    const head = await app.call("HEAD", "/api/endless");
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(app.deps.lifecycle.active).toBe(before);
  });

  test("405 lists what there is", async () => {
    const response = await app.call("PATCH", "/api/partition/");
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, GET, HEAD, OPTIONS"]);
    const docs = await app.call("POST", "/openapi.json");
    expect([docs.status, docs.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    // A path with a parameter in the place of its last word has more.
    const search = await app.call("OPTIONS", "/api/partition/search");
    expect(search.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    for (const path of ["/api/partition/search", "/api/partition/search/"])
      for (const method of ["PUT", "DELETE", "POST"]) {
        const refused = await app.call(method, path, { json: { name: "P" } });
        expect([method, refused.status, refused.headers.get("allow")]).toEqual([method, 405, "GET, HEAD, OPTIONS"]);
      }
    // Not a 405 that allows what was asked for.
    expect(await rawRequest(app.port, "GET // HTTP/1.1\r\nHost: nas\r\n\r\n")).toStartWith("HTTP/1.1 404");
    for (const host of ["127.0.0.1", "nas"]) {
      const withFragment = `GET /health/live#part HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      expect(await rawRequest(app.port, withFragment)).toStartWith("HTTP/1.1 200");
    }
  });
});

test("a stream counts as running until the client goes away", async () => {
  const before = app.deps.lifecycle.active;
  const abort = new AbortController();
  const response = await fetch(`${app.url}/api/endless`, { signal: abort.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  expect(app.deps.lifecycle.active).toBe(before + 1);
  abort.abort();
  await until(() => app.deps.lifecycle.active === before);
  // Its line comes before those of the next test.
  await until(() => lines.some((line) => line.includes("/api/endless")));
});

test("each request is one line in the log, without the key", async () => {
  lines.length = 0;
  const response = await app.call("GET", "/api/partition/search?searchValue=secret");
  await eventually(() => expect(lines).toHaveLength(1));
  const [line = "{}"] = lines;
  expect(JSON.parse(line)).toMatchObject({
    level: "info",
    msg: "request",
    requestId: response.headers.get("x-request-id"),
    method: "GET",
    path: "/api/partition/search",
    status: 200,
  });
  expect(line).not.toContain("secret");
  expect(line).not.toContain(app.keys.admin);
});

test("a client that goes away is no fault of the server: 499 in the log and the metrics", async () => {
  lines.length = 0;
  const abort = new AbortController();
  const waiting = fetch(`${app.url}/api/waiting`, { signal: abort.signal }).catch(() => null);
  await until(() => app.deps.lifecycle.active > 0);
  abort.abort();
  await waiting;
  await until(() => lines.length > 0);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: "request", path: "/api/waiting", status: 499 }]);
  const metrics = await (await app.call("GET", "/metrics")).text();
  expect(metrics).toContain('route="/api/waiting",status="499"');
});

test("while draining everything but health is refused, and what runs is cut off at the deadline", async () => {
  const own = await startApp({ endpoints: echoEndpoints });
  const stream = await fetch(`${own.url}/api/endless`);
  const drained = own.deps.lifecycle.drain(50);
  const refused = await own.call("GET", "/api/partition");
  expect({ ...(await answerOf(refused)), retryAfter: refused.headers.get("retry-after") }).toMatchSnapshot();
  expect((await own.call("GET", "/health/live")).status).toBe(200);
  expect(await answerOf(await own.call("GET", "/health/ready"))).toMatchObject({
    status: 503,
    body: { status: "draining" },
  });
  expect(await stream.text()).toBe("data: 1\n\n");
  expect(await drained).toBe(1);
});
