import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectOk, expectProblem, isoTime, nobody, uuidV7 } from "./expectations.ts";
import { type Answer, type Carrel, serveCarrel } from "./serve-carrel.ts";

/** Sections 4, 5 and 8 of the interface specification, called the way clients of the original service call. */

let carrel: Carrel;
let call: Carrel["call"];

beforeAll(async () => {
  carrel = await serveCarrel();
  call = carrel.call;
});

afterAll(() => carrel.stop());

const ingest = async (json: Record<string, unknown>) => expectOk(await call("POST", "/api/ingest", { json }));
/** As `curl -d` sends fields. */
const form = (body: string) => ({ body, headers: { "content-type": "application/x-www-form-urlencoded" } });

describe("4.1 List documents, 4.7 List chats and 8 Limits", () => {
  test("without limit, at most ten records are returned per page", async () => {
    for (let at = 0; at < 11; at += 1) {
      await ingest({ name: `Page ${at}`, text: `text of page ${at}` });
      await call("POST", "/api/chat", { json: { title: `Page ${at}` } });
    }
    for (const path of ["/api/document", "/api/chat"]) {
      const first = await call("GET", path);
      expect(expectOk(first)).toHaveLength(10);
      expect(first.headers.get("x-total-count")).toBe("11");
      expect(expectOk(await call("GET", `${path}?limit=3`))).toHaveLength(3);
      expect(expectOk(await call("GET", `${path}?limit=100`))).toHaveLength(11);
      expect(expectOk(await call("GET", `${path}?skip=10`))).toEqual([
        expectOk(await call("GET", `${path}?limit=100`)).at(-1),
      ]);
      expect(expectOk(await call("GET", `${path}?skip=11`))).toEqual([]);
    }
  });

  test("sortBy names the field chats are sorted by, createdAt by default; searchValue searches them by name", async () => {
    const { body: all } = await call("GET", "/api/chat?limit=100");
    expect(expectOk(await call("GET", "/api/chat?limit=100&sortBy=createdAt"))).toEqual(all);
    expect(
      expectOk(await call("GET", "/api/chat?searchValue=Page%2010")).map(({ name }: { name: string }) => name),
    ).toEqual(["Page 10"]);
  });
});

describe("4.2 Ingest a document", () => {
  test("answers id, name, text, createdAt and updatedAt", async () => {
    const document = await ingest({ name: "Greeting", text: "Hello there." });
    expect(document).toMatchObject({ name: "Greeting", text: "Hello there." });
    expect(document.id).toMatch(uuidV7);
    for (const time of [document.createdAt, document.updatedAt]) expect(time).toMatch(isoTime);
  });

  test("partition is upserted when the id is not at hand; partitionId names it afterwards", async () => {
    const first = await ingest({ name: "A", text: "first", partition: "Manuals" });
    const second = await ingest({ name: "B", text: "second", partition: "Manuals" });
    const third = await ingest({ name: "C", text: "third", partitionId: first.partitionId });
    expect([second.partitionId, third.partitionId]).toEqual([first.partitionId, first.partitionId]);
  });

  test("metadata is attached; mimeType may be passed", async () => {
    const document = await ingest({ name: "M", text: "a,b\n1,2", metadata: { source: "x" }, mimeType: "text/csv" });
    expect(document).toMatchObject({ metadata: { source: "x" }, status: "processed" });
  });
});

describe("4.3 Ask a question", () => {
  let winter: { id: string; partitionId: string };
  let summer: { id: string; partitionId: string };
  const query = "When does the museum open?";
  const ask = async (json: Record<string, unknown>) =>
    expectOk(await call("POST", "/api/query", { json: { query, ...json } }));
  const documentsOf = (answer: Answer["body"]): string[] =>
    answer.relevantSnippets.map((one: Answer["body"]) => one.metadata.documentUploadId);

  beforeAll(async () => {
    winter = await ingest({ name: "Winter", text: "In winter the museum opens at nine.", partition: "Winter" });
    summer = await ingest({ name: "Summer", text: "In summer the museum opens at eight.", partition: "Summer" });
  });

  test("1. without scope, over the whole organization", async () => {
    const answer = await ask({});
    expect(typeof answer.answer).toBe("string");
    expect(documentsOf(answer)).toContainValues([winter.id, summer.id]);
  });

  test("2. with documentId, over that document", async () => {
    const answer = await ask({ documentId: winter.id });
    expect(new Set(documentsOf(answer))).toEqual(new Set([winter.id]));
    expect(answer.answer).toContain("at nine");
  });

  test("3. with partitionId, over that partition", async () => {
    const answer = await ask({ partitionId: summer.partitionId });
    expect(new Set(documentsOf(answer))).toEqual(new Set([summer.id]));
    expect(answer.answer).toContain("at eight");
  });

  test("numberOfDocumentsInContext, as text, says how many snippets are returned", async () => {
    expect((await ask({ numberOfDocumentsInContext: "1" })).relevantSnippets).toHaveLength(1);
    expect((await ask({ numberOfDocumentsInContext: "2" })).relevantSnippets).toHaveLength(2);
  });

  test("prompt may hold the placeholders {contextText} and {query}", async () => {
    expect((await ask({ prompt: "Use {contextText} for {query}" })).answer).toContain("museum opens");
  });

  test("relevantDocuments are those of the snippets, each once, with status", async () => {
    const answer = await ask({});
    expect(answer.relevantDocuments.map(({ id }: { id: string }) => id)).toEqual([...new Set(documentsOf(answer))]);
    for (const { status } of answer.relevantDocuments) expect(status).toBe("processed");
  });

  test("as form fields", async () => {
    const answer = expectOk(await call("POST", "/api/query", form(`query=museum opens&documentId=${winter.id}`)));
    expect(documentsOf(answer)).toEqual([winter.id]);
  });
});

describe.each(["/api/document", "/document"])("4.4 Update and 4.5 delete a document under %s/:id", (base) => {
  test("text: vectors are deleted and rebuilt from it; metadata: replaced", async () => {
    const { id } = await ingest({ name: "Old", text: "the zeppelin is moored here", metadata: { a: 1, b: 2 } });
    const updated = expectOk(await call("PUT", `${base}/${id}`, form("text=the submarine is moored here")));
    expect(updated).toMatchObject({ id, originalText: "the submarine is moored here", metadata: { a: 1, b: 2 } });
    const found = expectOk(await call("POST", "/api/query", { json: { query: "submarine", documentId: id } }));
    expect(found.relevantSnippets[0].metadata.content).toBe("the submarine is moored here");
    const gone = expectOk(
      await call("POST", "/api/query", { json: { query: "zeppelin", answer: false, documentId: id } }),
    );
    expect(JSON.stringify(gone.relevantSnippets)).not.toContain("zeppelin");
    expect(expectOk(await call("PUT", `${base}/${id}`, form('metadata={"c":3}')))).toMatchObject({
      metadata: { c: 3 },
    });
    expect(expectOk(await call("PUT", `${base}/${id}`, { json: { metadata: { d: 4 } } })).metadata).toEqual({ d: 4 });
    expect(expectOk(await call("DELETE", `${base}/${id}`))).toEqual({ id, deleted: true });
    expectProblem(await call("GET", `/api/document/${id}`), 404, "document_not_found");
  });
});

describe("4.6 to 4.10 Chats", () => {
  test("create takes no field at all, JSON, a form, and both path forms", async () => {
    for (const options of [
      {},
      { json: {} },
      { json: { title: "T" } },
      form("title=T&public=false&userId=u"),
      form('{"title":"T"}'),
    ])
      expect(expectOk(await call("POST", "/api/chat", options)).id).toMatch(uuidV7);
    for (const method of ["POST", "PUT"]) {
      const created = expectOk(await call(method, `/api/chat/my-${method}-chat`, form("title=Mine")));
      expect(created).toMatchObject({ id: `my-${method}-chat`, title: "Mine", name: "Mine", public: false });
    }
  });

  test.each(["private", "message", "public"])(
    "a message goes to /api/chat/:id/%s; the answer is a Message",
    async (path) => {
      const { id } = expectOk(await call("POST", "/api/chat", form("userId=visitor-7")));
      for (const [options, userId] of [
        [form("message=When does the museum open in winter?"), "admin"],
        [{ json: { message: "When does the museum open in winter?", userId: "Ann" } }, "Ann"],
      ] as const) {
        const message = expectOk(await call("POST", `/api/chat/${id}/${path}`, options));
        expect(message).toMatchObject({ isSystem: true, chatId: id, userId });
        expect(message.message).toContain("at nine");
        expect(message.sourceDocuments.length).toBeGreaterThan(0);
      }
      const { messages } = expectOk(await call("GET", `/api/chat/${id}`));
      expect(messages.map((one: { isSystem: boolean; userId: string }) => [one.isSystem, one.userId])).toEqual([
        [false, "admin"],
        [true, "admin"],
        [false, "Ann"],
        [true, "Ann"],
      ]);
    },
  );

  test.each(["/api/chat", "/chat"])("delete under %s/:id", async (base) => {
    const { id } = expectOk(await call("POST", "/api/chat", {}));
    expect(expectOk(await call("DELETE", `${base}/${id}`))).toEqual({ id, deleted: true });
    expectProblem(await call("GET", `/api/chat/${id}`), 404, "chat_not_found");
    expectProblem(await call("DELETE", `${base}/${id}`), 404, "chat_not_found");
  });
});

describe("5 Authentication", () => {
  const operations: [string, string][] = [
    ["GET", "/api/document"],
    ["GET", `/api/document/${nobody}`],
    ["PUT", `/api/document/${nobody}`],
    ["DELETE", `/api/document/${nobody}`],
    ["PUT", `/document/${nobody}`],
    ["DELETE", `/document/${nobody}`],
    ["GET", `/api/document/${nobody}/text`],
    ["GET", `/api/document/${nobody}/file`],
    ["GET", `/api/document/${nobody}/events`],
    ["POST", "/api/ingest"],
    ["POST", "/api/ingest/batch"],
    ["POST", "/api/query"],
    ["POST", "/api/search"],
    ["GET", "/api/chat"],
    ["POST", "/api/chat"],
    ["GET", "/api/chat/none"],
    ["PUT", "/api/chat/none"],
    ["POST", "/api/chat/none"],
    ["DELETE", "/api/chat/none"],
    ["DELETE", "/chat/none"],
    ["POST", "/api/chat/none/message"],
    ["POST", "/api/chat/none/private"],
    ["POST", "/api/chat/none/public"],
    ["GET", "/api/key"],
    ["POST", "/api/key"],
    ["DELETE", `/api/key/${nobody}`],
    ["GET", "/api/partition"],
    ["POST", "/api/partition"],
    ["GET", "/api/partition/search"],
    ["PUT", `/api/partition/${nobody}`],
    ["GET", "/metrics"],
  ];

  test.each(operations)(
    "%s %s without a key, or with one nobody issued, is 401 and not 404 or 400",
    async (method, path) => {
      expectProblem(await call(method, path, { key: null }), 401, "key_missing");
      for (const authorization of ["Bearer", "Basic YTpi", carrel.admin])
        expectProblem(await call(method, path, { key: null, headers: { authorization } }), 401, "key_missing");
      expectProblem(await call(method, path, { key: `crl_${"x".repeat(43)}` }), 401, "key_unknown");
    },
  );

  test("the scheme is read in any case", async () => {
    expectOk(await call("GET", "/api/document", { key: null, headers: { authorization: `bearer ${carrel.admin}` } }));
  });

  test("the key identifies user and organization", async () => {
    const key = await carrel.key({ role: "writer", userId: "Grace" });
    const document = expectOk(await call("POST", "/api/ingest", { key, json: { name: "G", text: "of Grace" } }));
    const chat = expectOk(await call("POST", "/api/chat", { key }));
    const { userId } = expectOk(
      await call("POST", `/api/chat/${chat.id}/private`, { key, json: { message: "Grace" } }),
    );
    expect([document.addedByUserId, chat.userId, userId]).toEqual(["Grace", "Grace", "Grace"]);
    expect(chat.organizationId).toBe(document.organizationId);
  });
});
