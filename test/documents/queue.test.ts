import { beforeEach, describe, expect, test } from "bun:test";
import { formOf } from "../call-server.ts";
import { type Answer, serveDocuments, waitForDocument } from "./serve-documents.ts";

const server = await serveDocuments();

beforeEach(() => {
  server.embeddings.failure = null;
  server.embeddings.gate = Promise.resolve();
});

const later = async (text: string, key?: string): Promise<Answer["body"]> => {
  const json = { name: "Later", text, async: true };
  return (await server.call("POST", "/api/ingest", { json, ...(key === undefined ? {} : { key }) })).body;
};

const close = (): (() => void) => {
  const gate = Promise.withResolvers<void>();
  server.embeddings.gate = gate.promise;
  return gate.resolve;
};

const whenRunning = async (id: string): Promise<void> => {
  while (!server.ingest.isRunning(id)) await Bun.sleep(2);
};

const act = (id: string, action: "retry" | "cancel"): Promise<Answer> =>
  server.call("POST", `/api/document/${id}/${action}`);

describe("cancel and retry", () => {
  test("cancel ends a pending document; retry takes it up again", async () => {
    const open = close();
    const running = await Promise.all([later("runs 1"), later("runs 2")]);
    for (const { id } of running) await whenRunning(id);
    const { id } = await later("waits behind them");

    const cancelled = await act(id, "cancel");
    expect([cancelled.status, cancelled.body.status, cancelled.body.error]).toEqual([200, "failed", "cancelled"]);
    const twice = await act(id, "cancel");
    expect([twice.status, twice.body.code, twice.body.detail]).toEqual([
      409,
      "document_busy",
      "Only a pending document can be canceled; this one is failed.",
    ]);
    const tooLate = await act(running[0]?.id, "cancel");
    expect([tooLate.status, tooLate.body.code]).toEqual([409, "document_busy"]);
    expect((await act(running[0]?.id, "retry")).status).toBe(409);

    const again = await act(id, "retry");
    expect([again.status, again.body.status, again.body.error]).toEqual([200, "pending", null]);
    open();
    expect((await waitForDocument(server, id)).status).toBe("processed");
    const done = await act(id, "retry");
    expect([done.status, done.body.detail]).toEqual([
      409,
      "Only a failed document can be retried; this one is processed.",
    ]);
    expect((await act(id, "cancel")).status).toBe(409);
  });

  test("a file that cannot be read fails with its reason, and again when retried", async () => {
    const form = formOf({ async: "true", file: new File(["%PDF-1.7 broken"], "broken.pdf") });
    const { body } = await server.call("POST", "/api/ingest", { body: form });
    expect(body.status).toBe("pending");
    const failed = await waitForDocument(server, body.id);
    expect([failed.status, failed.error]).toEqual(["failed", expect.stringContaining("PDF")]);
    expect((await server.call("GET", `/api/document/${body.id}/file`)).text).toBe("%PDF-1.7 broken");
    const text = await server.call("GET", `/api/document/${body.id}/text`);
    expect([text.status, text.body.code]).toEqual([409, "document_busy"]);
    await act(body.id, "retry");
    expect((await waitForDocument(server, body.id)).status).toBe("failed");
    const mended = await server.call("PUT", `/api/document/${body.id}`, { json: { text: "typed by hand" } });
    expect([mended.body.status, mended.body.error, mended.body.originalText]).toEqual([
      "processed",
      null,
      "typed by hand",
    ]);
  });
});

describe("GET /api/document/:id/events", () => {
  /** @param onFirst told when the first piece of the stream has come */
  const follow = async (
    id: string,
    onFirst: () => void = () => {},
  ): Promise<{ status: string; error: string | null; progress: object }[]> => {
    const headers = { authorization: `Bearer ${await server.key({ role: "reader" })}` };
    const response = await fetch(`${server.url}/api/document/${id}/events`, { headers });
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of response.body as ReadableStream<Uint8Array>) {
      if (text === "") onFirst();
      text += decoder.decode(piece, { stream: true });
    }
    return text
      .split("\n\n")
      .filter((block) => block.startsWith("event: status\n"))
      .map((block) => JSON.parse(block.slice(block.indexOf("data: ") + 6)));
  };

  test("tell the way of a document from now to its end", async () => {
    const open = close();
    const { id } = await later(
      Array.from({ length: 100 }, (_, at) => `Chunk ${at}: ${"word ".repeat(180)}`).join("\n\n"),
    );
    await whenRunning(id);
    const events = await follow(id, open);
    expect(events[0]).toMatchObject({ status: "processing", error: null });
    expect(events.at(-1)).toEqual({
      status: "processed",
      error: null,
      progress: { pages: 0, chunks: 100, embedded: 100 },
    });
    expect(events.map(({ progress }) => "embedded" in progress && progress.embedded)).toContain(64);
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(events.length);
    expect(await follow(id)).toEqual([events.at(-1) as (typeof events)[0]]);
  });

  test("tell why a document failed", async () => {
    const open = close();
    const running = await Promise.all([later("in front 1"), later("in front 2")]);
    for (const { id } of running) await whenRunning(id);
    const { id } = await later("cancelled");
    const first = Promise.withResolvers<void>();
    const following = follow(id, first.resolve);
    await first.promise;
    await act(id, "cancel");
    const events = await following;
    expect(events.map(({ status, error }) => [status, error])).toEqual([
      ["pending", null],
      ["failed", "cancelled"],
    ]);
    open();
  });
});

describe("fairness", () => {
  test("one organization's many documents do not hold up another's one", async () => {
    const open = close();
    const many = await Promise.all(Array.from({ length: 30 }, (_, at) => later(`many ${at}`)));
    const key = await server.key({ organization: "small" });
    const { id } = await later("the one", key);
    open();
    const one = async () => (await server.call("GET", `/api/document/${id}`, { key })).body;
    while ((await one()).status !== "processed") await Bun.sleep(2);
    const at = server.embeddings.embedded.indexOf("the one");
    const ahead = server.embeddings.embedded.slice(0, at).filter((text) => text.startsWith("many")).length;
    // Two were being worked on already when it came.
    expect(ahead).toBeLessThanOrEqual(4);
    for (const { id: other } of many) expect((await waitForDocument(server, other)).status).toBe("processed");
  });

  test("a caller who waits is not held up by work in the background", async () => {
    const open = close();
    const many = await Promise.all(Array.from({ length: 30 }, (_, at) => later(`background ${at}`)));
    for (const { id } of many.slice(0, 1)) await whenRunning(id);
    const answer = server.call("POST", "/api/ingest", { json: { name: "Now", text: "needed at once" } });
    while (server.turns.large.waiting < 29) await Bun.sleep(2);
    open();
    expect((await answer).status).toBe(200);
    const at = server.embeddings.embedded.indexOf("needed at once");
    const ahead = server.embeddings.embedded.slice(0, at).filter((text) => text.startsWith("background")).length;
    expect(ahead).toBeLessThanOrEqual(4);
    for (const { id } of many) await waitForDocument(server, id);
  });
});
