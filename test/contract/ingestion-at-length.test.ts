import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { until } from "../until.ts";
import { expectEventStream, expectOk, expectProblem, nobody, uuidV7 } from "./expectations.ts";
import { type Answer, type CallOptions, type Carrel, serveCarrel } from "./serve-carrel.ts";
import { type Site, serveSite } from "./site.ts";

/** Section 10 of the contract: following a document, batches, retry and cancel, kinds of file. */

type Json = Answer["body"];

let carrel: Carrel;
let call: Carrel["call"];
let site: Site;

beforeAll(async () => {
  site = serveSite();
  carrel = await serveCarrel({
    config: (config) => {
      config.fetch.allowPrivateAddresses = true;
      config.ingest.concurrency = 1;
    },
  });
  call = carrel.call;
});

afterAll(async () => {
  await carrel.stop();
  site.stop();
});

const get = async (id: string): Promise<Json> => expectOk(await call("GET", `/api/document/${id}`));
const later = async (json: object): Promise<Json> => {
  const { status, body } = await call("POST", "/api/ingest", { json: { ...json, async: true } });
  expect(status).toBe(202);
  return body;
};
const ended = async (id: string): Promise<Json> => {
  let document: Json;
  await until(async () => {
    document = await get(id);
    return ["processed", "failed"].includes(document.status);
  }, "the document comes to an end");
  return document;
};

describe("GET /api/document/:id/events", () => {
  test("one event status at once and one a change, until the status is final", async () => {
    const { id } = await later({ name: "E", text: "The events of a document." });
    const events = expectEventStream(await call("GET", `/api/document/${id}/events`));
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(["status"]));
    for (const { data } of events) {
      expect(Object.keys(data).sort()).toEqual(["error", "progress", "status"]);
      expect(Object.keys(data.progress).sort()).toEqual(["chunks", "embedded", "pages"]);
    }
    expect(events.at(-1)?.data).toMatchObject({
      status: "processed",
      error: null,
      progress: { chunks: 1, embedded: 1 },
    });
    const written = events.map((event) => JSON.stringify(event));
    expect(new Set(written).size).toBe(written.length);
  });

  test("of a document that is finished: one event, and the end", async () => {
    const { id } = expectOk(await call("POST", "/api/ingest", { json: { name: "F", text: "finished" } }));
    const events = expectEventStream(await call("GET", `/api/document/${id}/events`));
    expect(events.map(({ data }) => data.status)).toEqual(["processed"]);
    expectProblem(await call("GET", `/api/document/${nobody}/events`), 404, "document_not_found");
  });

  test("of one that fails: error says why", async () => {
    const { id } = await later({ url: `${site.url}/status/500` });
    const { data } = expectEventStream(await call("GET", `/document/${id}/events`)).at(-1) as { data: Json };
    expect(data.status).toBe("failed");
    expect(data.error).toContain("500");
  });
});

describe("POST /api/ingest/batch", () => {
  const batch = async (body: string | ReadableStream<Uint8Array>): Promise<Json[]> => {
    const answer = await call("POST", "/api/ingest/batch", {
      body,
      headers: { "content-type": "application/x-ndjson" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("application/x-ndjson");
    expect(answer.text === "" || answer.text.endsWith("\n")).toBe(true);
    return answer.text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  };

  test("a line for each line, with id and status; a broken line spoils only itself", async () => {
    const lines = [
      JSON.stringify({ name: "A", text: "batch one", partition: "Batch" }),
      '{"name": "B", "text": ',
      JSON.stringify({ name: "C" }),
      "",
      JSON.stringify({ name: "D", text: "batch four", partitionId: nobody }),
      JSON.stringify([]),
      JSON.stringify({ name: "E", text: "batch five", metadata: { a: "x".repeat(70_000) } }),
      JSON.stringify({ name: "F", text: "batch six", partition: "Batch" }),
    ];
    const answers = await batch(`${lines.join("\n")}\r\n`);
    const byLine = new Map(answers.map((answer) => [answer.line, answer]));
    expect([...byLine.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3, 5, 6, 7, 8]);
    for (const line of [1, 8]) {
      expect(byLine.get(line)).toEqual({ line, id: expect.stringMatching(uuidV7), status: "pending" });
      expect(await ended(byLine.get(line).id)).toMatchObject({ status: "processed" });
    }
    for (const [line, status, code] of [
      [2, 400, "malformed_body"],
      [3, 400, "no_source"],
      [5, 404, "partition_not_found"],
      [6, 400, "invalid_request"],
      [7, 413, "metadata_too_large"],
    ] as const)
      expect(byLine.get(line).error).toMatchObject({ status, code, instance: "/api/ingest/batch" });
    expect(expectOk(await call("GET", "/api/partition/search?searchValue=batch"))[0].documents).toBe(2);
  });

  test("an empty body is an empty answer; the last line needs no line break", async () => {
    expect(await batch("")).toEqual([]);
    expect(await batch("\n\n")).toEqual([]);
    expect(await batch(JSON.stringify({ name: "L", text: "last line" }))).toHaveLength(1);
  });

  test("a line is answered while the body still arrives", async () => {
    const { promise: first, resolve } = Promise.withResolvers<void>();
    const line = (name: string) => new TextEncoder().encode(`${JSON.stringify({ name, text: `streamed ${name}` })}\n`);
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(line("one"));
        await first;
        controller.enqueue(line("two"));
        controller.close();
      },
    });
    const response = await fetch(`${carrel.url}/api/ingest/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${carrel.admin}` },
      body,
    });
    const lines: Json[] = [];
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      lines.push(
        ...decoder
          .decode(chunk)
          .trim()
          .split("\n")
          .map((text) => JSON.parse(text)),
      );
      resolve();
    }
    expect(lines.map(({ line: number }) => number)).toEqual([1, 2]);
  });

  test("the caller's key counts: a reader is refused, a limited key lands in its partition", async () => {
    const body = `${JSON.stringify({ name: "K", text: "of the key" })}\n`;
    expectProblem(await call("POST", "/api/ingest/batch", { key: await carrel.key(), body }), 403, "role_forbidden");
    const { id: partitionId } = expectOk(await call("POST", "/api/partition", { json: { name: "Of the key" } }));
    const key = await carrel.key({ role: "writer", partitionId });
    const { text } = await call("POST", "/api/ingest/batch", { key, body });
    expect(await ended(JSON.parse(text).id)).toMatchObject({ partitionId });
  });
});

describe("retry and cancel", () => {
  test("a failed one is taken up again", async () => {
    const { id } = await later({ url: `${site.url}/status/404` });
    expect((await ended(id)).status).toBe("failed");
    expect(expectOk(await call("POST", `/api/document/${id}/retry`)).status).toMatch(/^(pending|processing)$/);
    expect(await ended(id)).toMatchObject({ status: "failed", error: expect.stringContaining("404") });
  });

  test("cancel leaves a pending one failed with cancelled; retry takes it up", async () => {
    // One at a time: what waits behind a page that does not answer is pending.
    const slow = await later({ url: `${site.url}/silent` });
    const { id } = await later({ name: "C", text: "to be cancelled" });
    expect(expectOk(await call("POST", `/api/document/${id}/cancel`))).toMatchObject({
      id,
      status: "failed",
      error: "cancelled",
    });
    expect(await get(id)).toMatchObject({ status: "failed", error: "cancelled" });
    expectProblem(await call("POST", `/api/document/${id}/cancel`), 409, "document_busy");
    expectOk(await call("DELETE", `/api/document/${slow.id}`));
    expectOk(await call("POST", `/api/document/${id}/retry`));
    expect(await ended(id)).toMatchObject({ status: "processed", error: null });
  });

  test("in any other state than theirs: 409", async () => {
    const { id } = expectOk(await call("POST", "/api/ingest", { json: { name: "P", text: "processed" } }));
    for (const action of ["retry", "cancel"]) {
      expectProblem(await call("POST", `/api/document/${id}/${action}`), 409, "document_busy");
      expectProblem(await call("POST", `/api/document/${nobody}/${action}`), 404, "document_not_found");
    }
    expect((await get(id)).status).toBe("processed");
  });

  test("a text for one that is still waited for: 409; its name may change", async () => {
    const slow = await later({ url: `${site.url}/silent` });
    expectProblem(await call("PUT", `/api/document/${slow.id}`, { json: { text: "new" } }), 409, "document_busy");
    expect(expectOk(await call("PUT", `/api/document/${slow.id}`, { json: { name: "Renamed" } }))).toMatchObject({
      name: "Renamed",
      originalText: null,
    });
    expectProblem(await call("GET", `/api/document/${slow.id}/text`), 409, "document_busy");
    expectOk(await call("DELETE", `/api/document/${slow.id}`));
    expectProblem(await call("GET", `/api/document/${slow.id}`), 404, "document_not_found");
  });
});

describe("the content decides what a file is", () => {
  const upload = (
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    type: string,
    fields: Record<string, string> = {},
  ): Promise<Answer> => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append("file", new File([content], name, { type }));
    return call("POST", "/api/ingest", { body: form });
  };

  test("over its name and over mimeType; mimeType where the content cannot tell", async () => {
    const pdf = await Bun.file(`${import.meta.dir}/../fixtures/documents/fake-memo.pdf`).bytes();
    expect(expectOk(await upload("notes.txt", pdf, "text/plain", { mimeType: "text/csv" })).mimeType).toBe(
      "application/pdf",
    );
    const rows = "name,goals\nAnn,3\nBob,5\n";
    expect(expectOk(await upload("rows", rows, "", { mimeType: "text/csv" })).mimeType).toBe("text/csv");
    expect(expectOk(await upload("plain", rows, "", { mimeType: "text/plain" })).mimeType).toBe("text/plain");
  });
});

describe("Idempotency-Key on POST /api/ingest", () => {
  const send = (key: string, json: object, more: CallOptions = {}): Promise<Answer> =>
    call("POST", "/api/ingest", { json, headers: { "idempotency-key": key }, ...more });

  test("the same key and body get the first answer again, also at once; nothing is doubled", async () => {
    const json = { name: "Idempotent", text: "Sent again and again.", partition: "Idempotent" };
    const answers = await Promise.all([1, 2, 3].map(() => send("first", json)));
    answers.push(await send("first", json));
    for (const answer of answers) expect(expectOk(answer)).toEqual(answers[0]?.body);
    expect(expectOk(await call("GET", "/api/partition/search?searchValue=idempotent"))[0].documents).toBe(1);
    const later = [await send("later", { ...json, async: true }), await send("later", { ...json, async: true })];
    expect(later.map(({ status }) => status)).toEqual([202, 202]);
    expect(later[1]?.body.id).toBe(later[0]?.body.id);
  });

  test("the same key with another body is a 409 and stores nothing", async () => {
    expectOk(await send("second", { name: "A", text: "one text" }));
    const before = await carrel.everything();
    for (const json of [
      { name: "A", text: "another text" },
      { name: "B", text: "one text" },
      { name: "A", text: "one text", metadata: { a: 1 } },
    ])
      expectProblem(await send("second", json), 409, "idempotency_conflict");
    expect(await carrel.everything()).toBe(before);
  });

  test("a refused request does not use the key up; another organization's same key is another", async () => {
    expectProblem(await send("third", { name: "A", text: " " }), 400, "invalid_request");
    const { id } = expectOk(await send("third", { name: "A", text: "good now" }));
    const key = await carrel.foreignKey("other");
    expect(expectOk(await send("third", { name: "A", text: "good now" }, { key })).id).not.toBe(id);
  });

  test("of a file too", async () => {
    const upload = (content: string): Promise<Answer> => {
      const body = new FormData();
      body.append("file", new File([content], "a.txt"));
      return call("POST", "/api/ingest", { body, headers: { "idempotency-key": "file" } });
    };
    const { id } = expectOk(await upload("the same bytes"));
    expect(expectOk(await upload("the same bytes")).id).toBe(id);
    const before = await carrel.everything();
    expectProblem(await upload("other bytes!!!"), 409, "idempotency_conflict");
    expect(await carrel.everything()).toBe(before);
  });
});

test("GET /api/embedder says which model is active and what is being built, to admins", async () => {
  expect(expectOk(await call("GET", "/api/embedder"))).toEqual({
    active: { provider: "builtin", model: "static", dimensions: expect.any(Number) },
    building: null,
    pending: 0,
    error: null,
  });
  expectProblem(await call("GET", "/api/embedder", { key: null }), 401, "key_missing");
  expectProblem(
    await call("GET", "/api/embedder", { key: await carrel.key({ role: "writer" }) }),
    403,
    "role_forbidden",
  );
});
