import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectOk, isoTime, uuidV7 } from "./expectations.ts";
import { type Answer, type Carrel, serveCarrel } from "./serve-carrel.ts";

/** Section 2 of the interface specification: every field of every record, wherever the record appears. */

type Json = Answer["body"];

let carrel: Carrel;
let organizationId: string;
let shown: { documents: [string, Json][]; chats: [string, Json][]; messages: [string, Json][]; snippets: Json[] };

beforeAll(async () => {
  carrel = await serveCarrel();
  const { call } = carrel;
  const text = "# Hours\n\nIn winter the library opens at nine.\n";
  const ingested = expectOk(await call("POST", "/api/ingest", { json: { name: "Hours", text } }));
  const filed = expectOk(
    await call("POST", "/api/ingest", {
      json: { name: "Filed", text: "The café in the library closes at five.", partition: "Café", metadata: { a: [1] } },
    }),
  );
  const path = `/api/document/${ingested.id}`;
  const query = { query: "When does the library open in winter?" };
  const answer = expectOk(await call("POST", "/api/query", { json: query }));
  const [listed] = expectOk(await call("GET", "/api/document?searchValue=hours"));
  const chat = expectOk(await call("POST", "/api/chat", {}));
  const full = { title: "T", documentId: filed.id, userId: "u", logoUrl: "https://l.example/l.png", public: true };
  const fullChat = expectOk(await call("POST", "/api/chat", { json: { ...full, brandSettings: { colour: "red" } } }));
  const sent = expectOk(await call("POST", `/api/chat/${chat.id}/message`, { json: { message: query.query } }));
  const read = expectOk(await call("GET", `/api/chat/${chat.id}`));
  organizationId = ingested.organizationId;
  shown = {
    documents: [
      ["ingest", ingested],
      ["ingest with everything", filed],
      ["list", listed],
      ["get", expectOk(await call("GET", path))],
      ["update", expectOk(await call("PUT", path, { json: { metadata: { b: 1 } } }))],
      ["relevantDocuments", answer.relevantDocuments[0]],
    ],
    chats: [
      ["create", chat],
      ["create with everything", fullChat],
      ["list", expectOk(await call("GET", "/api/chat?limit=1&skip=1"))[0]],
      ["get", read],
      ["change", expectOk(await call("PUT", `/api/chat/${chat.id}`, { json: { public: false } }))],
    ],
    messages: [
      ["answer", sent],
      ["question in the chat", read.messages[0]],
      ["answer in the chat", read.messages[1]],
    ],
    snippets: answer.relevantSnippets,
  };
});

afterAll(() => carrel.stop());

const text = (value: unknown) => typeof value === "string" && value !== "";
const nullOr = (check: (value: unknown) => boolean) => (value: unknown) => value === null || check(value);
const object = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const address = (value: unknown) => typeof value === "string" && /^http:\/\/127\.0\.0\.1:\d+\//.test(value);
const time = (value: unknown) => typeof value === "string" && isoTime.test(value);
const id = (value: unknown) => typeof value === "string" && uuidV7.test(value);
const integer = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const boolean = (value: unknown) => typeof value === "boolean";
const distance = (value: unknown) => typeof value === "number" && value >= 0 && value <= 2;

/** Every field is there, of its type; what has no value is null, not missing. */
const expectFields = (record: Json, fields: Record<string, (value: unknown) => boolean>, where: string) => {
  for (const [name, check] of Object.entries(fields)) {
    expect(Object.hasOwn(record, name), `${where}: ${name} is there`).toBe(true);
    expect(check(record[name]), `${where}: ${name} is ${JSON.stringify(record[name])}`).toBe(true);
  }
};

describe("2.1 Document", () => {
  test("carries every field wherever it appears", () => {
    for (const [where, document] of shown.documents) {
      const fields = {
        id,
        createdAt: time,
        originalUrl: nullOr(text),
        parsedUrl: address,
        originalText: nullOr(text),
        name: text,
        addedByUserId: text,
        organizationId: id,
        mimeType: nullOr(text),
        tokens: integer,
        status: (value: unknown) => value === "processed",
        partitionId: nullOr(id),
        metadata: nullOr(object),
      };
      expectFields(document, fields, where);
      expect(document.organizationId).toBe(organizationId);
      expect(document.addedByUserId).toBe("admin");
    }
  });

  test("partitionId and metadata are null where there are none, and what was given where there are", () => {
    const [, [, filed]] = shown.documents as [[string, Json], [string, Json]];
    expect(shown.documents[0]?.[1]).toMatchObject({ partitionId: null, metadata: null, originalUrl: null });
    expect(filed.metadata).toEqual({ a: [1] });
    expect(filed.partitionId).toMatch(uuidV7);
  });
});

describe("2.2 Chat", () => {
  test("carries every field wherever it appears; messages only in Get a chat", () => {
    for (const [where, chat] of shown.chats) {
      const fields = {
        id,
        createdAt: time,
        name: text,
        userId: text,
        organizationId: id,
        documentId: nullOr(id),
        partitionId: nullOr(id),
        public: boolean,
        title: nullOr(text),
        logoUrl: nullOr(text),
        brandSettings: nullOr(object),
      };
      expectFields(chat, fields, where);
      expect(chat.organizationId).toBe(organizationId);
      expect(Object.hasOwn(chat, "messages"), where).toBe(where === "get");
    }
  });

  test("what was given at creation comes back", () => {
    expect(shown.chats[1]?.[1]).toMatchObject({
      title: "T",
      name: "T",
      userId: "u",
      logoUrl: "https://l.example/l.png",
      public: true,
      brandSettings: { colour: "red" },
      documentId: shown.documents[1]?.[1].id,
    });
  });
});

describe("2.3 Message and 2.4 SourceDocument", () => {
  test("carries every field wherever it appears", () => {
    for (const [where, message] of shown.messages) {
      const fields = {
        id,
        message: text,
        isSystem: boolean,
        organizationId: id,
        chatId: id,
        createdAt: time,
        userId: text,
        sourceDocuments: Array.isArray,
      };
      expectFields(message, fields, where);
      expect(message.organizationId).toBe(organizationId);
      expect(message.chatId).toBe(shown.chats[0]?.[1].id);
    }
  });

  test("isSystem is true of the AI's messages alone", () => {
    expect(shown.messages.map(([, { isSystem }]) => isSystem)).toEqual([true, false, true]);
  });

  test("sourceDocuments hold metadata with id, content and _distance, and pageContent", () => {
    for (const { sourceDocuments } of [shown.messages[0]?.[1], shown.messages[2]?.[1]]) {
      expect(sourceDocuments.length).toBeGreaterThan(0);
      for (const source of sourceDocuments) {
        expectFields(source.metadata, { id: text, content: text, _distance: distance }, "source");
        expect(source.pageContent).toBe(source.metadata.content);
      }
    }
  });
});

describe("2.5 Snippet", () => {
  test("metadata holds id, documentUploadId, content and _distance", () => {
    expect(shown.snippets.length).toBeGreaterThan(0);
    const documents = shown.documents.map(([, document]) => document.id);
    for (const { metadata } of shown.snippets) {
      expectFields(metadata, { id: text, documentUploadId: id, content: text, _distance: distance }, "snippet");
      expect(documents).toContain(metadata.documentUploadId);
    }
  });

  test("page, headings, start and end say where in the document's text it stands", async () => {
    for (const { metadata } of shown.snippets) {
      const { body } = await carrel.call("GET", `/api/document/${metadata.documentUploadId}`);
      expect(Object.hasOwn(metadata, "page")).toBe(true);
      expect(body.originalText.slice(metadata.start, metadata.end)).toContain(metadata.content.slice(0, 20));
    }
    expect(shown.snippets[0].metadata.headings).toEqual(["Hours"]);
  });
});

describe("2.6 Partition", () => {
  test("is referenced by partitionId and can be created by name during ingest", async () => {
    const filed = shown.documents[1]?.[1];
    expect(expectOk(await carrel.call("GET", `/api/partition/${filed.partitionId}`))).toMatchObject({
      id: filed.partitionId,
      name: "Café",
    });
  });
});
