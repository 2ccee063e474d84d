import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import fc from "fast-check";
import { createInFlight } from "../../src/async/in-flight.ts";
import { parseJson } from "../../src/http/body/parse-body.ts";
import { ingestBatch } from "../../src/ingest/batch.ts";
import { batchLines } from "../../src/ingest/batch-lines.ts";
import type { IngestWork } from "../../src/ingest/work.ts";
import { type Answer, serveDocuments, waitForDocument } from "../documents/serve-documents.ts";
import { until } from "../until.ts";

const maxBodyBytes = 2_000_000;

const server = await serveDocuments({
  config: (config) => {
    config.server.maxBodyBytes = maxBodyBytes;
  },
});

const line = (name: string, more: object = {}): string => JSON.stringify({ name, text: `text of ${name}`, ...more });

const send = async (
  body: string | Uint8Array<ArrayBuffer>,
  key?: string,
): Promise<{ answer: Answer; lines: Answer["body"][] }> => {
  const answer = await server.call("POST", "/api/ingest/batch", { body, ...(key === undefined ? {} : { key }) });
  const lines = answer.text.split("\n").filter((one) => one !== "");
  return { answer, lines: lines.map((one) => JSON.parse(one)) };
};

describe("POST /api/ingest/batch", () => {
  test("stores every line and answers each", async () => {
    const key = await server.key({ organization: "many" });
    const body = Array.from({ length: 120 }, (_, at) => line(`n${at}`, { partition: "Batch", metadata: { at } })).join(
      "\n",
    );
    const { answer, lines } = await send(body, key);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    expect(lines.map((one) => one.line)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
    expect(new Set(lines.map((one) => one.id)).size).toBe(120);
    expect(new Set(lines.map((one) => one.status))).toEqual(new Set(["pending"]));
    const count = async () => {
      const list = await server.call("GET", "/api/document?status=processed&limit=1", { key });
      return list.headers.get("x-total-count");
    };
    while ((await count()) !== "120") await Bun.sleep(20);
    expect((await server.call("GET", "/api/partition", { key })).body).toHaveLength(1);
  });

  test("a broken line spoils only itself", async () => {
    const body = [
      line("good"),
      "{broken",
      "",
      "[]",
      JSON.stringify({ name: "no source" }),
      JSON.stringify({ name: 5, text: "t" }),
      line("much", { metadata: { a: "x".repeat(70_000) } }),
      JSON.stringify({ name: "Two sources", text: "t", url: "https://example.com" }),
      JSON.stringify({ name: "N", text: "t", partitionId: "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23" }),
      `${line("windows")}\r`,
      line("last"),
    ].join("\n");
    const { answer, lines } = await send(body);
    expect(answer.status).toBe(200);
    expect(lines.map((one) => [one.line, one.status ?? one.error.code, one.error?.status])).toEqual([
      [1, "pending", undefined],
      [2, "malformed_body", 400],
      [4, "invalid_request", 400],
      [5, "no_source", 400],
      [6, "invalid_request", 400],
      [7, "metadata_too_large", 413],
      [8, "several_sources", 400],
      [9, "partition_not_found", 404],
      [10, "pending", undefined],
      [11, "pending", undefined],
    ]);
    const [, broken] = lines;
    expect(broken.error).toMatchObject({
      instance: "/api/ingest/batch",
      requestId: answer.headers.get("x-request-id"),
    });
    for (const { id } of lines.filter((one) => one.id))
      expect((await waitForDocument(server, id)).status).toBe("processed");
  });

  test("a line that is not UTF-8 is refused as the body of an ingest is", async () => {
    const latin1 = new Uint8Array(Buffer.from(`${line("first")}\n${line("Käse")}\n${line("last")}\n`, "latin1"));
    const { lines } = await send(latin1);
    expect(lines.map((one) => one.status ?? [one.error.code, one.error.status])).toEqual([
      "pending",
      ["malformed_body", 400],
      "pending",
    ]);
    const list = await server.call("GET", "/api/document?searchValue=%EF%BF%BD");
    expect(list.body).toEqual([]);
  });

  test("upserts within one batch make one document", async () => {
    const body = Array.from({ length: 10 }, (_, at) =>
      line(`u${at}`, { upsert: true, metadata: { externalId: "in-a-batch" } }),
    ).join("\n");
    const { lines } = await send(body);
    expect(new Set(lines.map((one) => one.id)).size).toBe(1);
  });

  test("an empty body is an empty answer", async () => {
    const { answer, lines } = await send("");
    expect([answer.status, lines]).toEqual([200, []]);
  });

  test("a line that is too long is refused, the next one taken", async () => {
    const { lines } = await send(
      `${JSON.stringify({ name: "long", text: "x".repeat(maxBodyBytes) })}\n${line("after")}`,
    );
    expect(lines.map((one) => one.status ?? one.error.code)).toEqual(["document_too_large", "pending"]);
  });

  test("lines are stored and answered while the body is still arriving", async () => {
    const key = await server.key();
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    const received: string[] = [];
    socket.on("data", (data) => received.push(data.toString()));
    const write = (text: string) => socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
    const receives = (pattern: RegExp) => until(() => pattern.test(received.join("")), `${pattern} is received`);
    socket.write(
      `POST /api/ingest/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const first = line("first of a long body");
    write(`${first.slice(0, 10)}`);
    write(`${first.slice(10)}\n`);
    await receives(/"line":1,"id":"[0-9a-f-]{36}"/);
    const id = /"line":1,"id":"([0-9a-f-]{36})"/.exec(received.join(""))?.[1] ?? "";
    expect((await waitForDocument(server, id)).name).toBe("first of a long body");
    write(`${line("second")}\n`);
    await receives(/"line":2/);
    socket.write("0\r\n\r\n");
    await receives(/\r\n0\r\n\r\n$/);
    socket.destroy();
  });

  test("a body that breaks off leaves stored what was answered", async () => {
    const key = await server.key({ organization: "broken off" });
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
    });
    const text = `${line("whole")}\n${line("cut off").slice(0, 20)}`;
    socket.write(
      `POST /api/ingest/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`,
    );
    while (!received.includes('"line":1')) await Bun.sleep(10);
    socket.destroy();
    await Bun.sleep(100);
    const list = await server.call("GET", "/api/document", { key });
    expect(list.body.map((document: Answer["body"]) => document.name)).toEqual(["whole"]);
  });
});

describe("batchLines", () => {
  const linesOf = async (chunks: Uint8Array[], maxLineBytes: number) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    const held = createInFlight(1_000_000).open(() => null);
    const lines = (await Array.fromAsync(batchLines(body, { maxLineBytes, held }))).flat();
    expect(held.bytes).toBe(lines.reduce((sum, { bytes }) => sum + bytes, 0));
    return lines.map(({ line, text, refusal }) => ({ line, text, code: refusal?.code ?? null }));
  };

  test("refuses a line that is not UTF-8, and that one alone, wherever the body is cut", async () => {
    const bytes = Buffer.concat([
      Buffer.from("é\na"),
      Buffer.from([0xff, 0xc3, 0x0a]),
      Buffer.from("東\n"),
      Buffer.from([0xe6]),
    ]);
    for (let cut = 0; cut <= bytes.length; cut += 1)
      expect(await linesOf([bytes.subarray(0, cut), bytes.subarray(cut)], 10)).toEqual([
        { line: 1, text: "é", code: null },
        { line: 2, text: null, code: "malformed_body" },
        { line: 3, text: "東", code: null },
        { line: 4, text: null, code: "malformed_body" },
      ]);
  });

  test("gives the same lines however the body is cut", async () => {
    const bodies = fc.array(fc.stringMatching(/^[a-zé東]{0,12}$/), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(bodies, fc.array(fc.nat(40), { maxLength: 8 }), async (texts, cuts) => {
        const bytes = new TextEncoder().encode(texts.join("\n"));
        const places = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
        const chunks = places.map((end, at) => bytes.slice(places[at - 1] ?? 0, end));
        const expected = texts
          .map((text, at) => {
            const isLong = Buffer.byteLength(text) > 10;
            return { line: at + 1, text: isLong ? null : text, code: isLong ? ("document_too_large" as const) : null };
          })
          .filter(({ text }) => text !== "");
        expect(await linesOf(chunks, 10)).toEqual(expected);
      }),
    );
  });
});

test.each([
  ["at fault", "{broken\n", 100_000],
  ["that are blank", "\n", 1_000_000],
  ["that are blank, with a carriage return", " \r\n", 1_000_000],
])("lines %s, many in one piece, let others go first", async (_, line, count) => {
  let turns = 0;
  const isOver = new AbortController();
  const takeTurn = (): void => {
    turns += 1;
    if (!isOver.signal.aborted) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  const answers = ingestBatch({} as IngestWork, {
    principal: { organizationId: "o", partitionId: null, userId: "u", role: "writer", keyId: null },
    held: createInFlight(100_000_000).open(() => null),
    maxLineBytes: 1_000,
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(line.repeat(count)));
        controller.close();
      },
    }),
    signal: new AbortController().signal,
    readRequest: (text) => parseJson(text) as never,
    toAnswer: ({ line }) => line,
  });
  const pieces = await Array.fromAsync(answers);
  isOver.abort();
  expect(pieces.flat()).toEqual(line.trim() === "" ? [] : Array.from({ length: count }, (_, at) => at + 1));
  expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThan(2_000);
  expect(turns).toBeGreaterThan(5);
});
