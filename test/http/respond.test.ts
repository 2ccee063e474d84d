import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { type Endpoint, endpoint } from "../../src/http/endpoint.ts";
import { heldBytesOf, isLongJson, jsonPieces, jsonResponse, textResponse } from "../../src/http/respond.ts";
import { startApp } from "./start-app.ts";

const longTexts: [string, string][] = [
  ["prose", "The gate closes at noon. ".repeat(60_000)],
  ["Han", "冬天阅览室上午九点开门。".repeat(60_000)],
  ["pairs of surrogates that lie over every boundary", `x${"😀".repeat(400_000)}`],
  ["lone surrogates", "\ud83d".repeat(300_000)],
  ["what must be escaped", '"\\\n\u0000\u2028'.repeat(120_000)],
];

describe("jsonPieces", () => {
  test.each(longTexts)("%s: joined, they are what JSON.stringify writes", (_, text) => {
    const value = { a: 1, text, again: { list: [text.slice(1), null, undefined, "short"], gone: undefined }, end: [] };
    const pieces = [...jsonPieces(value)];
    expect(pieces.join("") === JSON.stringify(value)).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(500_000);
  });

  test("any value, with a long text somewhere in it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        const value = { before, long: "a".repeat(300_000), after, list: [after, { before }], date: new Date(0) };
        expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
      }),
      { numRuns: 50 },
    );
  });

  test("many short strings are a long answer too", () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ name: `Document number ${index}` }));
    expect(isLongJson(items)).toBe(true);
    expect([...jsonPieces({ items })].join("")).toBe(JSON.stringify({ items }));
    expect(isLongJson(items.slice(0, 100))).toBe(false);
  });
});

describe("a long answer", () => {
  test.each(longTexts)("of %s arrives whole, with its length, and is counted as held", async (_, text) => {
    for (const [response, expected] of [
      [await jsonResponse({ text }, { status: 202, headers: { "x-more": "1" } }), JSON.stringify({ text })],
      [await textResponse(text, { status: 200, headers: {} }), text.toWellFormed()],
    ] as const) {
      const bytes = Buffer.byteLength(expected);
      expect(response.headers.get("content-length")).toBe(String(bytes));
      expect(heldBytesOf(response)).toBe(bytes);
      expect((await response.text()) === expected).toBe(true);
    }
  });

  test("lets other work run while it is encoded", async () => {
    let ticks = 0;
    const tick = () => {
      ticks++;
      if (ticks < 1_000) setImmediate(tick);
    };
    setImmediate(tick);
    await jsonResponse({ text: "冬天阅览室上午九点开门。".repeat(1_000_000) });
    expect(ticks).toBeGreaterThan(0);
  });

  test("a short one is there at once, and holds nothing", () => {
    const response = jsonResponse({ text: "short" });
    expect(response).toBeInstanceOf(Response);
    expect(heldBytesOf(response as Response)).toBe(0);
  });
});

test("over HTTP: GET has the whole text, HEAD its length alone", async () => {
  const text = "冬天阅览室上午九点开门。\n".repeat(200_000);
  const long = endpoint({
    method: "GET",
    operationId: "long",
    path: "/api/long",
    access: "reader",
    tag: "Test",
    summary: "A long answer",
    responses: { 200: Type.Object({ text: Type.String(), again: Type.String() }) },
    errors: [],
    handle: () => ({ text, again: text }),
  }) as Endpoint;
  const app = await startApp({ endpoints: () => [long] });
  const expected = JSON.stringify({ text, again: text });
  const got = await app.call("GET", "/api/long");
  expect(got.headers.get("content-type")).toBe("application/json");
  expect((await got.text()) === expected).toBe(true);
  const head = await app.call("HEAD", "/api/long");
  expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(expected)));
  expect(await head.text()).toBe("");
});
