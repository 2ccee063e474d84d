import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { ApiError } from "../../src/domain/errors.ts";
import { liveFor } from "../store/live-for.ts";
import { unreachable } from "./scripted-embeddings.ts";
import { type Answer, type CallOptions, serveDocuments } from "./serve-documents.ts";

const server = await serveDocuments();

afterEach(() => {
  setSystemTime();
});

const send = (key: string, json: object, options: CallOptions = {}): Promise<Answer> =>
  server.call("POST", "/api/ingest", { json, ...options, headers: { "idempotency-key": key, ...options.headers } });

const named = async (name: string): Promise<string[]> => {
  const { body } = await server.call("GET", `/api/document?searchValue=${encodeURIComponent(name)}`);
  return body.map(({ id }: { id: string }) => id);
};

describe("Idempotency-Key", () => {
  test("the same key and body get the first answer again", async () => {
    const json = { name: "Once", text: "made once", metadata: { a: 1 } };
    const first = await send("key-1", json);
    await server.call("PUT", `/api/document/${first.body.id}`, { json: { name: "Once, renamed" } });
    const second = await send("key-1", json);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await named("Once")).toEqual([first.body.id]);
  });

  test("what failed can be tried again under the same key", async () => {
    server.embeddings.failure = unreachable();
    expect((await send("key-5", { name: "Again", text: "at the second try" })).status).toBe(503);
    server.embeddings.failure = null;
    const second = await send("key-5", { name: "Again", text: "at the second try" });
    expect(second.status).toBe(200);
    expect(await named("Again")).toEqual([second.body.id]);
  });

  test.each(["", "x".repeat(256)])("a key that is none is refused: %j", async (key) => {
    const { status, body } = await send(key, { name: "N", text: "t" });
    expect([status, body.errors?.[0].path]).toEqual([400, "Idempotency-Key"]);
  });

  test("a request that a crash cut off after its document was stored gets that document", async () => {
    const json = { name: "Cut off", text: "stored before the crash" };
    const put = server.store.idempotency.put.bind(server.store.idempotency);
    // The crash: the document is there, its answer was never written down.
    server.store.idempotency.put = async (request) => {
      if (request.answer === null) await put(request);
    };
    const first = await send("key-7", json);
    server.store.idempotency.put = put;
    const second = await send("key-7", json);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await named("Cut off")).toEqual([first.body.id]);
  });

  test("an answer that cannot be kept does not turn a stored document into a failure", async () => {
    const json = { name: "Disk full", text: "stored before the disk was full" };
    const put = server.store.idempotency.put.bind(server.store.idempotency);
    server.store.idempotency.put = async (request) => {
      if (request.answer !== null) throw new ApiError("storage_unavailable", "the disk is full");
      await put(request);
    };
    const first = await send("key-8", json);
    server.store.idempotency.put = put;
    expect([first.status, first.body.name]).toEqual([200, "Disk full"]);
    const second = await send("key-8", json);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await named("Disk full")).toEqual([first.body.id]);
  });

  test("keys are forgotten after a day", async () => {
    const { store } = server;
    const dayMs = 86_400_000;
    const old = { id: "old", requestHash: "h", documentId: "d", answer: "{}", createdAt: Date.now() };
    await store.idempotency.put(old);
    const json = { name: "Ahead", text: "made before the clock was set" };
    const first = await send("key-9", json);
    // A clock that is years ahead forgets none.
    setSystemTime(new Date(Date.now() + 1_500 * dayMs));
    expect(await store.idempotency.removeOlder(dayMs)).toBe(0);
    expect((await send("key-9", json)).body.id).toBe(first.body.id);
    setSystemTime();
    liveFor(store.ages, 1.1);
    await store.idempotency.put({ ...old, id: "young", createdAt: Date.now() });
    expect(await store.idempotency.removeOlder(dayMs)).toBeGreaterThan(0);
    expect([await store.idempotency.get("old"), (await store.idempotency.get("young"))?.id]).toEqual([null, "young"]);
  });
});
