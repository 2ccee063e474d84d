import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { chatSchema, chatWithMessagesSchema } from "../../src/chats/schema.ts";
import type { DocumentRecord } from "../../src/domain/records.ts";
import { type ChatBody, type ChatWithMessages, call } from "../answers/client.ts";
import { serveQuestions, type TestServer } from "../answers/serve-questions.ts";

let server: TestServer;
let key: string;
let foreign: string;
let organizationId: string;
let rules: DocumentRecord;
let partitionId: string;

beforeAll(async () => {
  server = await serveQuestions();
  key = await server.key({ userId: "anna" });
  foreign = await server.key({ organization: "other" });
  organizationId = await server.organization("default");
  const tenant = { organizationId, partitionId: null };
  partitionId = (await server.store.partitions.upsert(tenant, "Kitchen")).partition.id;
  rules = await server.document("In winter the reading room opens at nine.", { name: "House rules" });
});
afterAll(() => server.stop());

const create = (body: object = {}, as = key) => call<ChatBody>(`${server.url}/api/chat`, { key: as, body });
const get = (id: string, as = key) => call<ChatWithMessages>(`${server.url}/api/chat/${id}`, { key: as });
const put = (id: string, body: object, as = key, method = "PUT") =>
  call<ChatBody>(`${server.url}/api/chat/${id}`, { key: as, method, body });

describe("POST /api/chat", () => {
  test("without settings: private, named New chat, of the key's user", async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    expect([...Value.Errors(chatSchema, body)]).toEqual([]);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      name: "New chat",
      userId: "anna",
      organizationId,
      documentId: null,
      partitionId: null,
      public: false,
      title: null,
      logoUrl: null,
      brandSettings: null,
    });
  });

  test("with every setting", async () => {
    const settings = {
      title: "Ask the house",
      documentId: rules.id,
      userId: "guest 7",
      logoUrl: "https://house.example/logo.svg",
      public: true,
      brandSettings: { colour: "#336699", nested: { deep: [1, null] } },
      name: "The house",
    };
    const { body } = await create(settings);
    expect(body).toMatchObject(settings);
    expect((await get(body.id)).body).toEqual({ ...body, messages: [] });
  });

  test("is named by its title", async () => {
    expect((await create({ title: "Opening hours" })).body.name).toBe("Opening hours");
  });

  test("takes forms: booleans and JSON as text", async () => {
    const response = await fetch(`${server.url}/api/chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/x-www-form-urlencoded" },
      body: `title=A+form&public=true&brandSettings=${encodeURIComponent('{"colour": "red"}')}`,
    });
    expect(await response.json()).toMatchObject({ title: "A form", public: true, brandSettings: { colour: "red" } });
  });

  test.each([
    ["an unknown document", { documentId: "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23" }, 404, "document_not_found"],
    ["an unknown partition", { partitionId: "nope" }, 404, "partition_not_found"],
    ["too long a title", { title: "x".repeat(256) }, 400, "invalid_request"],
    ["too long a name", { name: "x".repeat(300) }, 400, "invalid_request"],
    ["an empty name", { name: " " }, 400, "invalid_request"],
    ["NUL in the title", { title: "a\0b" }, 400, "invalid_request"],
    ["a lone surrogate in the name", { name: "a\ud800" }, 400, "invalid_request"],
    ["too long a userId", { userId: "x".repeat(256) }, 400, "invalid_request"],
    ["public as text in JSON", { public: "true" }, 400, "invalid_request"],
    ["a list of brand settings", { brandSettings: [] }, 400, "invalid_request"],
    ["too many brand settings", { brandSettings: { x: "x".repeat(65_536) } }, 413, "metadata_too_large"],
  ])("refuses %s and creates nothing", async (_name, body, status, code) => {
    const before = (await call(`${server.url}/api/chat`, { key })).headers.get("x-total-count");
    const refused = await call(`${server.url}/api/chat`, { key, body });
    expect(refused.status).toBe(status);
    expect(refused.body.code).toBe(code as never);
    expect((await call(`${server.url}/api/chat`, { key })).headers.get("x-total-count")).toBe(before);
  });

  test("refuses a document outside the partition", async () => {
    const refused = await call(`${server.url}/api/chat`, { key, body: { documentId: rules.id, partitionId } });
    expect([refused.status, refused.body.code]).toEqual([400, "scope_conflict"]);
  });

  test("takes a writer's key", async () => {
    const reader = await server.key({ role: "reader" });
    expect((await create({}, reader)).status).toBe(403);
    expect((await call(`${server.url}/api/chat`, { body: {} })).status).toBe(401);
  });

  test("by a key limited to a partition is about that partition", async () => {
    const limited = await server.key({ partitionId });
    const { body } = await create({}, limited);
    expect(body.partitionId).toBe(partitionId);
    expect((await get(body.id, limited)).status).toBe(200);
    const elsewhere = await create();
    expect((await get(elsewhere.body.id, limited)).status).toBe(404);
    expect((await put(elsewhere.body.id, { title: "x" }, limited)).status).toBe(404);
    const widened = await put(body.id, { partitionId: null }, limited);
    expect(widened.body.partitionId).toBe(partitionId);
    expect((await create({ documentId: rules.id }, limited)).status).toBe(404);
  });
});

describe("GET /api/chat/:id", () => {
  test("shows chat and messages", async () => {
    const { body: chat } = await create({ title: "Shown" });
    const { status, body } = await get(chat.id);
    expect(status).toBe(200);
    expect([...Value.Errors(chatWithMessagesSchema, body)]).toEqual([]);
    expect(body).toEqual({ ...chat, messages: [] });
  });

  test.each([["0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23"], ["not%20an%20id"], ["'%20OR%201=1"], ["x".repeat(65)]])(
    "%s is a 404",
    async (id) => {
      expect((await get(id)).status).toBe(404);
    },
  );

  test("is a 404 to another organization", async () => {
    const { body: chat } = await create({ public: true });
    expect((await get(chat.id, foreign)).status).toBe(404);
  });
});

describe("PUT and POST /api/chat/:id", () => {
  test("change what is given and nothing else", async () => {
    const { body: chat } = await create({ title: "Before", logoUrl: "https://a.example/x.png", userId: "u" });
    for (const method of ["PUT", "POST"]) {
      const { status, body } = await put(chat.id, { title: "After", public: true, logoUrl: null }, key, method);
      expect(status).toBe(200);
      expect(body).toEqual({ ...chat, title: "After", public: true, logoUrl: null });
    }
    expect((await put(chat.id, {})).body).toMatchObject({ title: "After", public: true });
    expect((await get(chat.id)).body).toMatchObject({ title: "After", public: true, userId: "u" });
  });

  test("take a logo by http or https alone", async () => {
    const { body: chat } = await create({ logoUrl: "" });
    expect(chat.logoUrl).toBeNull();
    for (const logoUrl of [
      "javascript:alert(1)",
      " javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "/l.png",
    ]) {
      const refused = { status: 400, body: { code: "invalid_request", errors: [{ path: "logoUrl" }] } };
      expect(await put(chat.id, { title: "T", logoUrl })).toMatchObject(refused);
      expect(await create({ logoUrl })).toMatchObject(refused);
    }
    expect((await get(chat.id)).body).toMatchObject({ title: null, logoUrl: null });
  });

  test("name a chat that has no name by its title", async () => {
    const { body: chat } = await create();
    expect((await put(chat.id, { title: "Titled" })).body.name).toBe("Titled");
    expect((await put(chat.id, { title: "Again" })).body.name).toBe("Titled");
  });

  test("create it with the caller's id", async () => {
    for (const [id, method] of [
      ["my-chat_1", "PUT"],
      ["X".repeat(64), "POST"],
    ] as const) {
      const { status, body } = await put(id, { title: "Mine" }, key, method);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id, title: "Mine", userId: "anna" });
      expect((await get(id)).status).toBe(200);
    }
  });

  test("refuse ids of another form", async () => {
    for (const id of ["a.b", "a%20b", "x".repeat(65), "é"]) {
      expect((await put(id, {})).status).toBe(404);
    }
  });

  test("are a 404 where another organization holds the id, and change nothing", async () => {
    await put("taken", { title: "Ours" });
    const refused = await put("taken", { title: "Theirs" }, foreign);
    expect(refused.status).toBe(404);
    expect((await get("taken")).body.title).toBe("Ours");
    expect((await get("taken", foreign)).status).toBe(404);
  });

  test("at once with one new id make one chat", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put("raced", { title: `T${n}` })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { body } = await call<ChatBody[]>(`${server.url}/api/chat?limit=100`, { key });
    expect(body.filter(({ id }) => id === "raced")).toHaveLength(1);
  });

  test("check the scope that results", async () => {
    const { body: chat } = await create({ documentId: rules.id });
    expect((await put(chat.id, { partitionId })).status).toBe(400);
    expect((await put(chat.id, { documentId: null, partitionId })).body).toMatchObject({
      documentId: null,
      partitionId,
    });
    expect((await put(chat.id, { documentId: "nope" })).status).toBe(404);
  });
});

describe("GET /api/chat", () => {
  let lister: string;
  beforeAll(async () => {
    lister = await server.key({ organization: "lists" });
    for (const title of ["Banana", "apple", "Cherry", "50% off", "O'Hara"]) await create({ title }, lister);
    for (let n = 0; n < 7; n++) await create({}, lister);
  });
  const list = async (search: string) => {
    const { status, headers, body } = await call<ChatBody[]>(`${server.url}/api/chat${search}`, { key: lister });
    expect(status).toBe(200);
    return { total: headers.get("x-total-count"), titles: body.map(({ title }) => title), body };
  };

  test("is newest first, ten a page, with the number of all and without messages", async () => {
    const { total, body } = await list("");
    expect(total).toBe("12");
    expect(body).toHaveLength(10);
    expect(body[0]).not.toHaveProperty("messages");
    const times = body.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    const second = await list("?skip=10");
    expect(second.titles).toEqual(["apple", "Banana"]);
    expect((await list("?limit=2&sortOrder=asc")).titles).toEqual(["Banana", "apple"]);
  });

  test("sorts by name and title", async () => {
    expect((await list("?sortBy=name&sortOrder=asc&limit=3")).titles).toEqual(["50% off", "apple", "Banana"]);
    expect((await list("?sortBy=title&limit=2")).titles).toEqual(["O'Hara", "Cherry"]);
  });

  test("searches names in any case, taking the text as it is", async () => {
    expect(await list("?searchValue=AN")).toMatchObject({ total: "1", titles: ["Banana"] });
    expect(await list("?searchValue=0%25%20o")).toMatchObject({ total: "1", titles: ["50% off"] });
    expect(await list("?searchValue=o'h")).toMatchObject({ total: "1", titles: ["O'Hara"] });
    expect(await list("?searchValue=%25")).toMatchObject({ total: "1" });
    expect(await list("?searchValue=nothing")).toMatchObject({ total: "0", titles: [] });
  });

  test.each([["?limit=0"], ["?limit=101"], ["?skip=-1"], ["?limit=x"], ["?sortBy=userId"], ["?sortOrder=up"]])(
    "%s is a 400",
    async (search) => {
      expect((await call(`${server.url}/api/chat${search}`, { key: lister })).status).toBe(400);
    },
  );
});

describe("DELETE /api/chat/:id", () => {
  test("is gone with its messages, by either path", async () => {
    for (const path of ["/api/chat", "/chat"]) {
      await put("doomed", { title: "Doomed" });
      await call(`${server.url}/api/chat/doomed/message`, { key, body: { message: "When does it open?" } });
      const { status, body } = await call<object>(`${server.url}${path}/doomed`, { key, method: "DELETE" });
      expect(status).toBe(200);
      expect(body).toEqual({ id: "doomed", deleted: true });
      expect((await get("doomed")).status).toBe(404);
      expect((await call(`${server.url}/api/chat/doomed`, { key, method: "DELETE" })).status).toBe(404);
      await put("doomed", {});
      expect((await get("doomed")).body.messages).toEqual([]);
    }
  });

  test("is not another organization's or a reader's to do", async () => {
    await put("kept", {});
    const reader = await server.key({ role: "reader" });
    expect((await call(`${server.url}/api/chat/kept`, { key: foreign, method: "DELETE" })).status).toBe(404);
    expect((await call(`${server.url}/api/chat/kept`, { key: reader, method: "DELETE" })).status).toBe(403);
    expect((await call(`${server.url}/api/chat/kept`, { method: "DELETE" })).status).toBe(401);
    expect((await get("kept")).status).toBe(200);
  });
});
