import { describe, expect, test } from "bun:test";
import { formOf } from "../call-server.ts";
import { type Answer, serveDocuments, waitForDocument } from "../documents/serve-documents.ts";

const server = await serveDocuments();

let counter = 0;
const newId = (): string => `external-${++counter}`;

const upsert = (externalId: string, text: string, more: object = {}): Promise<Answer> =>
  server.call("POST", "/api/ingest", {
    json: {
      name: `Document ${externalId}`,
      text,
      upsert: true,
      ...more,
      metadata: { externalId, ...metadataOf(more) },
    },
  });

const metadataOf = (more: object): object => ("metadata" in more ? (more.metadata as object) : {});

const having = async (externalId: string): Promise<Answer["body"]> => {
  const filter = encodeURIComponent(JSON.stringify({ externalId }));
  return (await server.call("GET", `/api/document?metadata=${filter}&include=originalText`)).body;
};

describe("upsert by externalId", () => {
  test("makes the document, then replaces it in place", async () => {
    const externalId = newId();
    const first = await upsert(externalId, "first text", { partition: "Somewhere" });
    const second = await upsert(externalId, "second text", { name: "Renamed", metadata: { version: 2 } });
    expect([second.status, second.body.unchanged]).toEqual([200, false]);
    expect(second.body).toMatchObject({
      id: first.body.id,
      createdAt: first.body.createdAt,
      name: "Renamed",
      metadata: { externalId, version: 2 },
      partitionId: first.body.partitionId,
      text: "second text",
    });
    const [document, ...others] = await having(externalId);
    expect([document.originalText, others.length]).toEqual(["second text", 0]);
  });

  test("unchanged text costs no embedding and keeps the snippets; name and metadata are taken over", async () => {
    const externalId = newId();
    const first = await upsert(externalId, "the same text");
    const { length } = server.embeddings.embedded;
    const tokens = server.turns.large.running;
    const second = await upsert(externalId, "the same text");
    expect([second.status, second.body.unchanged, second.body.text]).toEqual([200, true, "the same text"]);
    expect(second.body.updatedAt).toBe(first.body.updatedAt);
    const third = await upsert(externalId, "the same text", {
      name: "New name",
      metadata: { a: 1 },
      partition: "There",
    });
    expect(third.body).toMatchObject({
      id: first.body.id,
      unchanged: true,
      name: "New name",
      metadata: { externalId, a: 1 },
    });
    expect(third.body.partitionId).not.toBeNull();
    expect([server.embeddings.embedded.length, server.turns.large.running]).toEqual([length, tokens]);
  });

  test("twenty at once make one document", async () => {
    const externalId = newId();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => upsert(externalId, `text ${at % 5}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await having(externalId)).toHaveLength(1);
  });

  test("twenty at once, answered before they are processed, make one document with the last text", async () => {
    const externalId = newId();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => upsert(externalId, `later ${at}`, { async: true })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const last = answers.at(-1)?.body;
    const document = await waitForDocument(server, last.id);
    expect([document.status, document.originalText]).toEqual(["processed", "later 19"]);
    expect(await having(externalId)).toHaveLength(1);
  });

  test("a later replacement leaves the old text to be found until the new one is there", async () => {
    const externalId = newId();
    const first = await upsert(externalId, "old text");
    const gate = Promise.withResolvers<void>();
    server.embeddings.gate = gate.promise;
    const later = await upsert(externalId, "new text", { async: true, name: "New" });
    expect([later.status, later.body.id, later.body.status]).toEqual([202, first.body.id, "pending"]);
    // A change of name in between must not lose the text that waits.
    await server.call("PUT", `/api/document/${first.body.id}`, { json: { name: "Newer" } });
    expect((await server.call("GET", `/api/document/${first.body.id}/text`)).text).toBe("old text");
    gate.resolve();
    const document = await waitForDocument(server, first.body.id);
    expect([document.status, document.originalText, document.name]).toEqual(["processed", "new text", "Newer"]);
  });

  test("a replacement that fails leaves the document as it was", async () => {
    const externalId = newId();
    const first = await upsert(externalId, "good text");
    const { unreachable } = await import("../documents/scripted-embeddings.ts");
    server.embeddings.failure = unreachable();
    const second = await upsert(externalId, "never embedded");
    server.embeddings.failure = null;
    expect(second.status).toBe(503);
    const [document] = await having(externalId);
    expect([document.id, document.originalText, document.status]).toEqual([first.body.id, "good text", "processed"]);
  });

  test("a text replaces a file, and the file goes", async () => {
    const externalId = newId();
    const form = formOf({
      metadata: JSON.stringify({ externalId }),
      upsert: "true",
      file: new File(["from a file"], "a.txt"),
    });
    const first = await server.call("POST", "/api/ingest", { body: form });
    expect(first.body.originalUrl).toEndWith("/file");
    const again = await server.call("POST", "/api/ingest", { body: form });
    expect([again.body.id, again.body.unchanged]).toEqual([first.body.id, true]);
    expect((await server.call("GET", `/api/document/${first.body.id}/file`)).text).toBe("from a file");
    const second = await upsert(externalId, "from a text");
    expect([second.body.id, second.body.originalUrl, second.body.mimeType]).toEqual([
      first.body.id,
      null,
      "text/plain",
    ]);
    expect((await server.call("GET", `/api/document/${first.body.id}/file`)).status).toBe(404);
  });

  test("one organization's id is nothing to another", async () => {
    const externalId = newId();
    const mine = await upsert(externalId, "mine");
    const key = await server.key({ organization: "another" });
    const json = { name: "Theirs", text: "theirs", upsert: true, metadata: { externalId } };
    const theirs = await server.call("POST", "/api/ingest", { key, json });
    expect(theirs.body.id).not.toBe(mine.body.id);
    expect((await having(externalId))[0].originalText).toBe("mine");
  });

  test("without upsert the id is only metadata", async () => {
    const externalId = newId();
    const json = { name: "N", text: "plain", metadata: { externalId } };
    const [first, second] = [
      await server.call("POST", "/api/ingest", { json }),
      await server.call("POST", "/api/ingest", { json }),
    ];
    expect(first.body.id).not.toBe(second.body.id);
  });
});

describe("upsert without an externalId", () => {
  const json = { name: "Content", text: "content known by its text", upsert: true };

  test("finds the document of the same partition with the same text, also among many at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => server.call("POST", "/api/ingest", { json })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.unchanged)).toHaveLength(9);
    const elsewhere = await server.call("POST", "/api/ingest", { json: { ...json, partition: "Other place" } });
    expect(elsewhere.body.unchanged).toBeFalse();
    expect(elsewhere.body.id).not.toBe(answers[0]?.body.id);
    const later = await server.call("POST", "/api/ingest", { json: { ...json, async: true } });
    expect([later.status, later.body.id, later.body.unchanged]).toEqual([200, answers[0]?.body.id, true]);
  });

  test("finds the document of the same file before it is read, also while it waits in the queue", async () => {
    const upload = (more: Record<string, string> = {}, text = "known by its bytes"): Promise<Answer> => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ upsert: "true", async: "true", ...more })) form.append(name, value);
      form.append("file", new File([text], "bytes.txt"));
      return server.call("POST", "/api/ingest", { body: form });
    };
    const waiting = await Promise.all(Array.from({ length: 5 }, () => upload()));
    waiting.push(await upload({ name: "The last name" }));
    const [id, ...others] = new Set(waiting.map(({ body }) => body.id));
    expect(others).toEqual([]);
    expect(waiting.every(({ status, body }) => status === (body.status === "processed" ? 200 : 202))).toBeTrue();
    const read = await waitForDocument(server, id);
    expect([read.originalText, read.name]).toEqual(["known by its bytes", "The last name"]);
    const processed = await upload({ name: "Renamed" });
    expect([processed.status, processed.body.id, processed.body.unchanged]).toEqual([200, id, true]);
    expect(processed.body.name).toBe("Renamed");
    expect((await server.call("GET", `/api/document/${id}/file`)).text).toBe("known by its bytes");

    const elsewhere = await upload({ partition: "Third place" });
    expect([elsewhere.status, elsewhere.body.id === id]).toEqual([202, false]);
    const different = await upload({}, "other bytes");
    expect([different.status, different.body.id === id]).toEqual([202, false]);
    await server.call("POST", `/api/document/${different.body.id}/cancel`);
  });
});
