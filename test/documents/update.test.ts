import { describe, expect, test } from "bun:test";
import { type Answer, serveDocuments, waitForDocument } from "./serve-documents.ts";

const server = await serveDocuments();

const make = async (text: string, more: object = {}): Promise<Answer["body"]> =>
  (await server.call("POST", "/api/ingest", { json: { name: "Made", text, ...more } })).body;

const put = (id: string, json: object, path = "/api/document"): Promise<Answer> =>
  server.call("PUT", `${path}/${id}`, { json });

describe("PUT /api/document/:id", () => {
  test("the same text again embeds nothing", async () => {
    const made = await make("the very same");
    const { length } = server.embeddings.embedded;
    const { body } = await put(made.id, { text: "the very same", name: "Same" });
    expect([body.name, body.originalText]).toEqual(["Same", "the very same"]);
    expect(server.embeddings.embedded.length).toBe(length);
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
  test("takes the ids of those that are wanted", async () => {
    const key = await server.key({ organization: "lists" });
    const ids: string[] = [];
    for (const name of ["one", "two", "three"])
      ids.push((await server.call("POST", "/api/ingest", { key, json: { name, text: name } })).body.id);
    const list = async (query: string): Promise<[total: string | null, names: string[]]> => {
      const { headers, body } = await server.call("GET", `/api/document${query}`, { key });
      return [headers.get("x-total-count"), body.map((document: Answer["body"]) => document.name)];
    };
    const wanted = [ids[0], "unknown", ids[2]].join(",");
    expect(await list(`?ids=${wanted}`)).toEqual(["2", ["three", "one"]]);
    expect(await list(`?ids=${wanted}&searchValue=none`)).toEqual(["0", []]);
    expect(await list("?ids=")).toEqual(["0", []]);
  });
});
