import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, type DocumentServer, serveDocuments, waitForDocument } from "./serve-documents.ts";

let server: DocumentServer;

beforeAll(async () => {
  server = await serveDocuments();
});

afterAll(() => server.stop());

const make = async (text: string, more: object = {}): Promise<Answer["body"]> =>
  (await server.call("POST", "/api/ingest", { json: { name: "Made", text, ...more } })).body;

const put = (id: string, json: object, path = "/api/document"): Promise<Answer> =>
  server.call("PUT", `${path}/${id}`, { json });

describe("PUT /api/document/:id", () => {
  test("an empty body changes nothing and returns the document", async () => {
    const { text: _text, unchanged: _unchanged, ...made } = await make("unchanged");
    for (const options of [{ json: {} }, {}, { json: { unknown: 1 } }]) {
      const { status, body } = await server.call("PUT", `/api/document/${made.id}`, options);
      expect([status, body]).toEqual([200, made]);
    }
  });

  test("a new text is rebuilt, counted and answered; both paths do it, JSON or form", async () => {
    const made = await make("before");
    const { status, body } = await put(made.id, { text: "after a change" }, "/document");
    expect([status, body.originalText, body.tokens, body.status]).toEqual([200, "after a change", 3, "processed"]);
    expect(body.createdAt).toBe(made.createdAt);
    const form = await server.call("PUT", `/api/document/${made.id}`, {
      body: new URLSearchParams({ text: "by form", metadata: '{"a": [1]}' }),
    });
    expect([form.body.originalText, form.body.metadata]).toEqual(["by form", { a: [1] }]);
    expect((await server.call("GET", `/api/document/${made.id}`)).body).toEqual(form.body);
  });

  test("metadata is replaced, not merged, and may be removed", async () => {
    const made = await make("labelled", { metadata: { a: 1, b: 2 } });
    expect((await put(made.id, { metadata: { c: 3 } })).body.metadata).toEqual({ c: 3 });
    expect((await put(made.id, { metadata: null })).body.metadata).toBeNull();
    const found = await server.call("GET", `/api/document?metadata=${encodeURIComponent('{"a":1}')}`);
    expect(found.body).toEqual([]);
  });

  test("name and partition may change, with a text or without", async () => {
    const made = await make("moved", { partition: "From" });
    const other = await make("other", { partition: "To" });
    const moved = await put(made.id, { name: "Moved", partitionId: other.partitionId });
    expect(moved.body).toMatchObject({ name: "Moved", partitionId: other.partitionId, originalText: "moved" });
    const detached = await put(made.id, { partitionId: null, text: "detached", name: "Detached" });
    expect(detached.body).toMatchObject({ name: "Detached", partitionId: null, originalText: "detached" });
  });

  test("the same text again embeds nothing", async () => {
    const made = await make("the very same");
    const { length } = server.embeddings.embedded;
    const { body } = await put(made.id, { text: "the very same", name: "Same" });
    expect([body.name, body.originalText]).toEqual(["Same", "the very same"]);
    expect(server.embeddings.embedded.length).toBe(length);
  });

  test("no reader ever sees the document without snippets or with both texts", async () => {
    const text = (version: number) =>
      Array.from({ length: 20 }, (_, at) => `v${version} ${at} ${"word ".repeat(150)}`).join("\n\n");
    const made = await make(text(0));
    const tenant = { organizationId: server.organizationId, partitionId: null };
    let done = false;
    const seen: string[] = [];
    const look = async () => {
      const view = server.store.openSnippets();
      const snippets = await view.neighbors(tenant, made.id, 0, 1_000);
      view.close();
      seen.push([...new Set(snippets.map((snippet) => snippet.text.slice(0, 2)))].join("+") || "nothing");
    };
    const reading = (async () => {
      for (; !done; await Bun.sleep(1)) await look();
    })();
    for (let version = 1; version <= 5; version++) await put(made.id, { text: text(version) });
    done = true;
    await reading;
    await look();
    expect(seen.filter((one) => !/^v\d$/.test(one))).toEqual([]);
    expect(seen.at(-1)).toBe("v5");
  });

  test("changes made at once all arrive", async () => {
    const made = await make("start");
    const answers = await Promise.all([
      put(made.id, { text: "one" }),
      put(made.id, { name: "Named" }),
      put(made.id, { metadata: { a: 1 } }),
      put(made.id, { text: "two" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await server.call("GET", `/api/document/${made.id}`);
    expect(body).toMatchObject({ name: "Named", metadata: { a: 1 }, status: "processed" });
    expect(["one", "two"]).toContain(body.originalText);
  });

  test("a document that waits takes another name, but not another text", async () => {
    const gate = Promise.withResolvers<void>();
    server.embeddings.gate = gate.promise;
    const made = await make("waits", { async: true });
    const refused = await put(made.id, { text: "other" });
    expect([refused.status, refused.body.code]).toEqual([409, "document_busy"]);
    const renamed = await put(made.id, { name: "Renamed", metadata: { a: 1 } });
    expect([renamed.status, renamed.body.name]).toEqual([200, "Renamed"]);
    gate.resolve();
    const document = await waitForDocument(server, made.id);
    expect(document).toMatchObject({ status: "processed", name: "Renamed", metadata: { a: 1 }, originalText: "waits" });
  });
});

describe("DELETE /api/document/:id", () => {
  test("the document, its snippets and its text are gone when it is answered", async () => {
    const made = await make("to be deleted");
    const { status, body } = await server.call("DELETE", `/document/${made.id}`);
    expect([status, body]).toEqual([200, { id: made.id, deleted: true }]);
    const view = server.store.openSnippets();
    const tenant = { organizationId: server.organizationId, partitionId: null };
    expect(await view.neighbors(tenant, made.id, 0, 100)).toEqual([]);
    view.close();
    for (const path of ["", "/text", "/file", "/events"]) {
      expect((await server.call("GET", `/api/document/${made.id}${path}`)).status).toBe(404);
    }
    expect((await server.call("DELETE", `/api/document/${made.id}`)).status).toBe(404);
  });

  test("calls off the work on a document, which does not come back", async () => {
    const gate = Promise.withResolvers<void>();
    server.embeddings.gate = gate.promise;
    const made = await make("deleted while processing", { async: true });
    while (!server.ingest.isRunning(made.id)) await Bun.sleep(2);
    expect((await server.call("DELETE", `/api/document/${made.id}`)).status).toBe(200);
    gate.resolve();
    while (server.ingest.size.running > 0) await Bun.sleep(2);
    expect((await server.call("GET", `/api/document/${made.id}`)).status).toBe(404);
  });
});

describe("GET /api/document", () => {
  test("is newest first, ten a page, with the total beside it", async () => {
    const key = await server.key({ organization: "lists" });
    const partition = await server.call("POST", "/api/partition", { key, json: { name: "Half" } });
    for (let at = 0; at < 12; at++) {
      const json = {
        name: `Report ${at % 2 === 0 ? "EVEN" : "odd"} ${at}`,
        text: `text ${at}`,
        metadata: { at, kind: at % 2 === 0 ? "even" : "odd" },
        ...(at < 6 ? { partitionId: partition.body.id } : {}),
      };
      await server.call("POST", "/api/ingest", { key, json });
    }
    const list = async (query: string): Promise<[total: string | null, numbers: number[]]> => {
      const { headers, body } = await server.call("GET", `/api/document${query}`, { key });
      return [headers.get("x-total-count"), body.map((document: Answer["body"]) => document.metadata.at)];
    };
    expect(await list("")).toEqual(["12", [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]]);
    expect(await list("?limit=3&skip=10")).toEqual(["12", [1, 0]]);
    expect(await list("?sortOrder=asc&limit=2")).toEqual(["12", [0, 1]]);
    expect(await list(`?partitionId=${partition.body.id}&limit=2`)).toEqual(["6", [5, 4]]);
    expect(await list("?searchValue=even&limit=2")).toEqual(["6", [10, 8]]);
    expect(await list("?status=processed&limit=1")).toEqual(["12", [11]]);
    expect(await list("?status=failed")).toEqual(["0", []]);
    const filter = encodeURIComponent('{"kind": "odd", "at": {"$gt": 3, "$lte": 9}, "none": {"$ne": 1}}');
    expect(await list(`?metadata=${filter}`)).toEqual(["3", [9, 7, 5]]);
    const { body: all } = await server.call("GET", "/api/document?limit=3", { key });
    const ids = [all[2].id, "unknown", all[0].id].join(",");
    expect(await list(`?ids=${ids}`)).toEqual(["2", [11, 9]]);
    expect(await list(`?ids=${ids}&searchValue=none`)).toEqual(["0", []]);
    expect(await list("?ids=")).toEqual(["0", []]);
    expect(await list("?skip=50")).toEqual(["12", []]);

    const plain = await server.call("GET", "/api/document?limit=1", { key });
    expect(plain.body[0].originalText).toBeNull();
    const full = await server.call("GET", "/api/document?limit=1&include=originalText", { key });
    expect(full.body[0].originalText).toBe("text 11");
  });
});
