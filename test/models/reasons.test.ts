import { describe, expect, test } from "bun:test";
import { Writable } from "node:stream";
import pino from "pino";
import { defaultConfig } from "../../config/load.ts";
import { formOf } from "../call-server.ts";
import { serve } from "../serve.ts";
import { startTestServer } from "../start-server.ts";
import { until } from "../until.ts";
import { secret, serveReceiver } from "../webhooks/receiver.ts";
import { type Fault, faults, startFailingOllama } from "./failing-ollama.ts";

/** Section 2 of the contract: who is told what a model or parser server said, and its address. */

const text = "The reading room opens at nine in winter.";
const question = { query: "When does the reading room open in winter?" };
const parserSays = "license of ACME Parsing ran out";

const keys = { admin: "", writer: "", reader: "" };
let log = "";

const writer = startFailingOllama();
const embedder = startFailingOllama();
const receiver = serveReceiver();
const parser = serve(() => Response.json({ detail: parserSays }, { status: 504 }));
const { models, publicChats } = defaultConfig();
const ollama = { provider: "ollama" as const, timeoutMs: 1_000 };
const sink = new Writable({
  write(chunk, _encoding, done) {
    log += String(chunk);
    done();
  },
});
const server = await startTestServer(
  {
    models: {
      answer: { ...models.answer, ...ollama, model: "writer", baseUrl: writer.url },
      embedding: { ...models.embedding, ...ollama, model: "embedder", baseUrl: embedder.url },
    },
    parser: { provider: "unstructured", baseUrl: parser.url },
    // One visitor asks for every fault.
    publicChats: { ...publicChats, visitorMessagesPerMinute: 1_000 },
    webhooks: [{ url: receiver.url, secret, events: [] }],
  },
  { log: pino({ level: "info" }, sink) },
);
keys.admin = server.key;
for (const role of ["writer", "reader"] as const) {
  const made = await server.post("/api/key", { name: role, role });
  keys[role] = ((await made.json()) as { key: string }).key;
}
expect((await server.post("/api/ingest", { name: "Hours", text })).status).toBe(200);
expect((await server.post("/api/query", question)).status).toBe(200);
const pending = async () => ((await (await server.call("/api/embedder")).json()) as { pending: number }).pending;
await until(async () => (await pending()) === 0, "all documents have their vectors");
const made = await server.post("/api/chat", { public: true });
const chat = ((await made.json()) as { id: string }).id;

type Reader = keyof typeof keys | "visitor";

const send = async (reader: Reader, path: string, init: RequestInit = {}): Promise<string> => {
  const headers = new Headers(init.headers);
  if (reader !== "visitor") headers.set("authorization", `Bearer ${keys[reader]}`);
  const response = await fetch(`${server.url}${path}`, { ...init, headers });
  return `${response.headers.get("x-request-id")}\n${await response.text()}`;
};
const post = (reader: Reader, path: string, body: object): Promise<string> =>
  send(reader, path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const words: Record<Fault, RegExp> = {
  down: /cannot reach/,
  silent: /was silent/,
  stalls: /was silent/,
  garbage: /this is \{ not/,
  "proxy page": /an HTML page/,
  cut: /broke off its|cannot be used/,
  breaks: /broke off its|cannot reach/,
  "refuses the key": /unauthorized/,
  "rate limited": /slow down/,
  "queue full": /maximum pending/,
  "out of memory": /9\.1 GiB/,
  "model gone": /try pulling|ollama pull/,
};

/** Nothing of a server: neither its address, nor its words, nor where it stands in the configuration. */
const expectNothing = (answer: string): void => {
  expect(answer).not.toContain("127.0.0.1:".concat(new URL(writer.url).port));
  expect(answer).not.toContain("127.0.0.1:".concat(new URL(embedder.url).port));
  expect(answer).not.toContain(`127.0.0.1:${parser.port}`);
  expect(answer).not.toMatch(/models\.(answer|embedding)|ollama pull|<h1>|Bad Gateway|ACME/);
};

describe("a model that fails", () => {
  // One that stalls costs as many seconds as it is asked times, and differs from a silent one in nothing that is told.
  test.each(faults.filter((fault) => fault !== "stalls"))("%s", async (fault) => {
    await writer.fail(fault);
    await embedder.fail(fault);
    const asked = (reader: Reader): [string, object][] =>
      reader === "visitor"
        ? [
            [`/api/chat/${chat}/message`, { message: question.query }],
            [`/api/chat/${chat}/public`, { message: question.query, stream: true }],
          ]
        : [
            ["/api/query", question],
            ["/api/query", { ...question, stream: true }],
            ["/api/search", question],
            [`/api/chat/${chat}/message`, { message: question.query }],
            [`/api/chat/${chat}/private`, { message: question.query, stream: true }],
          ];
    for (const reader of ["reader", "writer", "visitor", "admin"] as const) {
      for (const [path, body] of asked(reader)) {
        const answer = await post(reader, path, body);
        const [requestId = "", content = ""] = answer.split("\n");
        expect(answer).not.toMatch(/<html|<h1>/i);
        expectNothing(reader === "admin" ? "" : content === "" ? answer : answer.slice(requestId.length));
        // A search that needed no model tells of none.
        if (path === "/api/search" && answer.includes('"warnings":[]')) continue;
        // A silent model is replaced by quotations, which need no reason.
        if (fault === "silent" && answer.includes("opens at nine")) continue;
        if (reader === "admin") {
          expect(answer).toMatch(/127\.0\.0\.1:\d+|is not called for a moment/);
          continue;
        }
        expect(answer).not.toMatch(words[fault]);
        // The reason is found in the log by the request's id.
        expect(answer.slice(requestId.length)).toContain(reader === "visitor" ? "The model" : requestId);
        const lines = log.split("\n").filter((line) => line.includes(requestId));
        expect(lines.join("\n")).toMatch(/127\.0\.0\.1:\d+|is not called for a moment/);
      }
    }
    await writer.fail(null);
    await embedder.fail(null);
    // The circuit breaker rests a while.
    await until(async () => (await server.post("/api/query", question)).status === 200, "the model is asked again");
  });
});

describe("a parser that fails", () => {
  const upload = (reader: Reader, query: Record<string, string> = {}): Promise<string> => {
    const form = formOf({ file: new File(["Some text to be parsed elsewhere."], "a.txt") });
    for (const [name, value] of Object.entries(query)) form.set(name, value);
    return send(reader, "/api/ingest", { method: "POST", body: form });
  };

  test("under a request", async () => {
    const answer = await upload("writer");
    expect(answer).toContain('"code":"parser_timeout"');
    expectNothing(answer);
    expect(await upload("admin")).toContain(parserSays);
  });

  test("of a stored document", async () => {
    const [, body = ""] = (await upload("writer", { async: "true" })).split("\n");
    const { id } = JSON.parse(body) as { id: string };
    const events = await send("reader", `/api/document/${id}/events`);
    const failed = events.trimEnd().split("\n").at(-1) ?? "";
    expect(failed).toContain('"status":"failed"');
    const readers: [string, RequestInit?][] = [
      [`/api/document/${id}`],
      [`/document/${id}/`],
      ["/api/document?status=failed"],
      [`/api/document/${id}/events`],
      [`/api/document/${id}`, { method: "PUT", body: "{}" }],
    ];
    for (const [path, init] of readers) {
      const told = await send("writer", path, init);
      expect(told).toContain("The parser took too long.");
      expectNothing(told);
      expect(await send("admin", path, init)).toContain(parserSays);
    }
    await until(() => receiver.received.some(({ type }) => type === "document.failed"), "the failure is told");
    expectNothing(JSON.stringify(receiver.received));
    expect(log).toContain(parserSays);
  });
});
