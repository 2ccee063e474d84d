import { describe, expect, test } from "bun:test";
import { formOf } from "../call-server.ts";
import { type Answer, serveDocuments, waitForDocument } from "../documents/serve-documents.ts";
import { serveSite } from "../serve-site.ts";

const server = await serveDocuments();
const site = serveSite();

const ingest = (json: object): Promise<Answer> => server.call("POST", "/api/ingest", { json });

describe("POST /api/ingest with text", () => {
  test("answers the whole document, which can then be found", async () => {
    const text = "In winter the reading room opens at nine.";
    const { status, body } = await ingest({ name: "Handbook", text, metadata: { source: "handbook" } });
    expect(status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      createdAt: time,
      updatedAt: time,
      originalUrl: null,
      parsedUrl: `${server.url}/api/document/${body.id}/text`,
      originalText: text,
      name: "Handbook",
      addedByUserId: "user-1",
      organizationId: server.organizationId,
      mimeType: "text/plain",
      tokens: 9,
      status: "processed",
      error: null,
      warnings: [],
      progress: { pages: 0, chunks: 1, embedded: 1 },
      reading: null,
      embedded: true,
      partitionId: null,
      metadata: { source: "handbook" },
      text,
      unchanged: false,
    });
    const stored = await server.call("GET", `/api/document/${body.id}`);
    const { text: _text, unchanged: _unchanged, ...document } = body;
    expect(stored.body).toEqual(document);
    expect(await snippetsOf(body.id)).toEqual([text]);
  });

  test("passes a declared type on", async () => {
    const { body } = await ingest({ name: "M", text: "# Title", mimeType: "text/markdown" });
    expect(body.mimeType).toBe("text/markdown");
  });

  test("the same content twice makes two documents", async () => {
    const first = await ingest({ name: "Twice", text: "Twice the same words." });
    const second = await ingest({ name: "Twice", text: "Twice the same words." });
    expect(second.body.id).not.toBe(first.body.id);
    expect(await snippetsOf(second.body.id)).toEqual(["Twice the same words."]);
  });
});

describe("files", () => {
  const upload = (bytes: string | Uint8Array<ArrayBuffer>, name: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [key, value] of Object.entries(fields)) form.append(key, value);
    form.append("file", new File([bytes], name));
    return server.call("POST", "/api/ingest", { body: form });
  };

  test("what a note's front matter says is metadata beside what is given, also when its text is sent again", async () => {
    const note = "---\nauthor: Ann Lee\ndate: 2024-03-01\ntags: [moving, office]\n---\n# The move\n";
    const first = await upload(note, "move.md", {
      metadata: '{"externalId": "note-1", "date": "2025"}',
      upsert: "true",
    });
    const stated = { author: "Ann Lee", date: "2025", tags: ["moving", "office"] };
    expect(first.body.metadata).toEqual({ ...stated, externalId: "note-1" });
    const found = await server.call("GET", `/api/document?metadata=${encodeURIComponent('{"author": "Ann Lee"}')}`);
    expect(found.body.map(({ id }: { id: string }) => id)).toEqual([first.body.id]);
    const again = await upload(note, "move.md", { metadata: '{"externalId": "note-1", "seen": 2}', upsert: "true" });
    expect(again.body).toMatchObject({ unchanged: true, metadata: { ...stated, seen: 2 } });
    const later = await upload(note, "later.md", { async: "true" });
    const { metadata } = await waitForDocument(server, later.body.id);
    expect(metadata).toEqual({ ...stated, date: "2024-03-01" });
  });

  test("a table that is sent as plain text stays one under another name", async () => {
    const file = new File(["name,age\nAnn,3\n"], "people.csv", { type: "text/plain" });
    const form = formOf({ name: "People", async: "true", file });
    const { body } = await server.call("POST", "/api/ingest", { body: form });
    const document = await waitForDocument(server, body.id);
    expect(document.originalText).toBe("| name | age |\n| --- | --- |\n| Ann | 3 |");
  });

  test("are read, named after themselves, and given back as they came", async () => {
    const bytes = "\ufeff# Hours\r\n\r\nThe café opens at nine.\r\n";
    const { status, body } = await upload(bytes, "café hours.md", { metadata: '{"kind": "notes"}' });
    expect(status).toBe(200);
    expect([body.name, body.mimeType, body.metadata]).toEqual(["café hours.md", "text/markdown", { kind: "notes" }]);
    expect(body.text).toContain("The café opens at nine.");
    expect(body.originalUrl).toBe(`${server.url}/api/document/${body.id}/file`);

    const { headers, bytes: sent, status: downloaded } = await server.call("GET", `/api/document/${body.id}/file`);
    expect(downloaded).toBe(200);
    expect(Buffer.from(sent)).toEqual(Buffer.from(bytes));
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="caf_ hours.md"; filename*=UTF-8''caf%C3%A9%20hours.md`,
    );
    expect([headers.get("content-type"), headers.get("x-content-type-options")]).toEqual(["text/markdown", "nosniff"]);

    const markdown = await server.call("GET", `/document/${body.id}/text`);
    expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(markdown.text).toBe(body.text);
  });

  test("may be given another name", async () => {
    const { body } = await upload("Some words.", "a.txt", { name: "Better name" });
    expect(body.name).toBe("Better name");
  });

  test("are kept once and go with their last document", async () => {
    const first = await upload("The same bytes.", "one.txt");
    const second = await upload("The same bytes.", "two.txt");
    expect((await server.call("DELETE", `/api/document/${first.body.id}`)).body).toEqual({
      id: first.body.id,
      deleted: true,
    });
    expect((await server.call("GET", `/api/document/${first.body.id}/file`)).status).toBe(404);
    expect((await server.call("GET", `/api/document/${second.body.id}/file`)).text).toBe("The same bytes.");
  });

  test("read later, when the answer does not wait", async () => {
    const { status, body } = await upload("Words for later.", "later.txt", { async: "true" });
    expect([status, body.status, body.text, body.name]).toEqual([202, "pending", null, "later.txt"]);
    const document = await waitForDocument(server, body.id);
    expect([document.status, document.originalText]).toEqual(["processed", "Words for later."]);
    expect((await server.call("GET", `/api/document/${body.id}/file`)).text).toBe("Words for later.");
  });
});

describe("addresses", () => {
  test("a file is named after itself, and keeps its address", async () => {
    const url = `${site.url}/notes.md?version=2`;
    const { status, body } = await ingest({ url });
    expect(status).toBe(200);
    expect([body.name, body.originalUrl, body.mimeType]).toEqual(["notes.md", url, "text/markdown"]);
    expect(body.text).toContain("Notes about the archive.");
    expect((await server.call("GET", `/api/document/${body.id}/file`)).text).toBe(site.pages["/notes.md"]?.body ?? "");
  });

  test("are fetched later, when the answer does not wait, and named then", async () => {
    const answer = await server.call("POST", "/api/ingest", {
      json: { websiteUrl: `${site.url}/page` },
      headers: { prefer: "wait=5, respond-async" },
    });
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([202, "respond-async"]);
    expect([answer.body.status, answer.body.name, answer.body.text]).toEqual(["pending", "page", null]);
    const document = await waitForDocument(server, answer.body.id);
    expect([document.status, document.name]).toEqual(["processed", "Opening hours of the museum"]);
  });
});

/** Texts of the document's snippets, as a question would find them. */
const snippetsOf = async (documentId: string): Promise<string[]> => {
  const view = server.store.openSnippets();
  try {
    const tenant = { organizationId: server.organizationId, partitionId: null };
    const found = await view.neighbors(tenant, documentId, 0, 1_000);
    return found.map(({ text }) => text);
  } finally {
    view.close();
  }
};
