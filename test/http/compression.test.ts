import { expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { Type } from "@sinclair/typebox";
import { type Endpoint, endpoint } from "../../src/http/endpoint.ts";
import { jsonResponse, textResponse } from "../../src/http/respond.ts";
import { startApp } from "./start-app.ts";

const list = Array.from({ length: 50 }, (_, at) => ({ name: `Document number ${at}`, status: "processed" }));
const expected = JSON.stringify(list);

const read = (path: string, handle: Endpoint["handle"], more: Partial<Endpoint> = {}): Endpoint =>
  ({
    ...endpoint({
      method: "GET",
      operationId: path.slice(5),
      path,
      access: "reader",
      tag: "Test",
      summary: "An answer",
      responses: { 200: Type.Unknown() },
      errors: [],
      handle: () => ({}),
    }),
    handle,
    ...more,
  }) as Endpoint;

const endpoints = [
  read("/api/list", () => jsonResponse(list, { headers: { "x-total-count": "50" } })),
  read("/api/object", () => ({ list })),
  read("/api/short", () => list.slice(0, 30).map(({ status }) => status)),
  read("/api/long", () => ({ text: "The gate closes at noon. ".repeat(60_000) })),
  read("/api/text", () => textResponse(expected, { status: 200, headers: { "content-type": "text/markdown" } })),
  read("/api/unready", () => jsonResponse(list, { status: 503 })),
  read("/api/visited", () => ({ list }), { access: "visitor" }),
  read("/api/opened", () => ({ list }), { access: "open" }),
  read("/api/made", () => ({ list }), { method: "POST" }),
];

const app = await startApp({ endpoints: () => endpoints });

const get = async (path: string, headers: Record<string, string>, method = "GET") => {
  const authorization = `Bearer ${app.keys.admin}`;
  const init = { method, headers: { authorization, ...headers }, decompress: false };
  const response = await fetch(app.url + path, init as RequestInit);
  const bytes = await response.bytes();
  return { response, bytes, encoding: response.headers.get("content-encoding") };
};

test.each([
  ["gzip", true],
  ["gzip, deflate, br, zstd", true],
  ["br, GZIP;q=0.5", true],
  ["br", false],
  ["gzip;q=0", false],
  ["identity", false],
])("a list for a client that takes %s", async (accepted, isCompressed) => {
  const { response, bytes, encoding } = await get("/api/list", { "accept-encoding": accepted });
  expect(encoding).toBe(isCompressed ? "gzip" : null);
  expect((isCompressed ? gunzipSync(bytes) : Buffer.from(bytes)).toString()).toBe(expected);
  expect(bytes.length < expected.length / 3).toBe(isCompressed);
  expect(response.headers.get("vary")).toContain("Accept-Encoding");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("x-total-count")).toBe("50");
  expect(response.headers.get("content-length")).toBe(String(bytes.length));
  const head = await get("/api/list", { "accept-encoding": accepted }, "HEAD");
  expect(head.bytes).toHaveLength(0);
  for (const name of ["content-length", "content-encoding", "vary"])
    expect([name, head.response.headers.get(name)]).toEqual([name, response.headers.get(name)]);
});

test("an object that a handler returns is compressed too", async () => {
  const { bytes, encoding } = await get("/api/object", { "accept-encoding": "gzip" });
  expect([encoding, JSON.parse(gunzipSync(bytes).toString())]).toEqual(["gzip", { list }]);
});

test.each([
  ["/api/short", "GET"],
  ["/api/long", "GET"],
  ["/api/text", "GET"],
  ["/api/unready", "GET"],
  ["/api/visited", "GET"],
  ["/api/opened", "GET"],
  ["/api/made", "POST"],
  ["/api/nothing", "GET"],
])("%s stays as it is", async (path, method) => {
  const { bytes, encoding } = await get(path, { "accept-encoding": "gzip" }, method);
  expect(encoding).toBeNull();
  expect(Buffer.from(bytes).toString()).toMatch(/^[[{]/);
});

test.each([
  ["same-origin", "gzip"],
  ["none", "gzip"],
  ["same-site", null],
  ["cross-site", null],
])("for a page whose relation to the server is %s", async (site, encoding) => {
  const answer = await get("/api/list", { "accept-encoding": "gzip", "sec-fetch-site": site });
  expect(answer.encoding).toBe(encoding);
});
