import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { DocumentRecord } from "../../src/domain/records.ts";
import {
  type ChatBody,
  type ChatWithMessages,
  call,
  readEvents,
  type SentMessage,
  send,
  withoutRequestId,
} from "../answers/client.ts";
import { serveQuestions, type TestServer } from "../answers/serve-questions.ts";

let server: TestServer;
let key: string;
let snippetId = "";
let organizationId: string;
let rules: DocumentRecord;
let partitionId: string;

beforeAll(async () => {
  server = await serveQuestions({
    config: (config) => {
      config.publicChats.allowedOrigins = ["https://shop.example"];
    },
  });
  key = await server.key({ userId: "anna-of-the-office" });
  organizationId = await server.organization("default");
  const tenant = { organizationId, partitionId: null };
  partitionId = (await server.store.partitions.upsert(tenant, "Kitchen")).partition.id;
  rules = await server.document("In winter the reading room opens at nine.", { name: "House rules", partitionId });
  const found = await call<{ relevantSnippets: { metadata: { id: string } }[] }>(`${server.url}/api/search`, {
    key,
    body: { query: "When does the room open in winter?" },
  });
  snippetId = found.body.relevantSnippets[0]?.metadata.id ?? "";
  expect(snippetId).not.toBe("");
});
afterAll(() => server.stop());

const createChat = async (settings: object = {}): Promise<string> => {
  const body = { title: "Ask us", public: true, documentId: rules.id, partitionId, ...settings };
  return (await call<ChatBody>(`${server.url}/api/chat`, { key, body })).body.id;
};
const visit = (chat: string, headers: Record<string, string> = {}) =>
  call<ChatWithMessages>(`${server.url}/api/chat/${chat}`, { headers });
const say = (chat: string, message: string, headers: Record<string, string> = {}, path = "message") =>
  call<SentMessage>(`${server.url}/api/chat/${chat}/${path}`, { body: { message }, headers });
const cookieOf = (headers: Headers): string => headers.get("set-cookie")?.split(";", 1)[0] ?? "";

/** Nothing that names the organization, its users, documents, snippets or partitions, nor what else is kept with a brand. */
const expectNoIds = (value: unknown): void => {
  const text = JSON.stringify(value);
  for (const secret of [organizationId, rules.id, partitionId, snippetId, "anna-of-the-office", "Campaign 7"])
    expect(text).not.toContain(secret);
};

describe("a visitor", () => {
  test("sees title, logo and brand of a public chat and nothing of the organization", async () => {
    const chat = await createChat({
      logoUrl: "https://shop.example/logo.png",
      brandSettings: { color: "#1f4f8a", placeholder: "Ask", note: "Campaign 7", accentColor: { deep: "Campaign 7" } },
      name: "Internal",
    });
    const { status, headers, body } = await visit(chat);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: chat,
      createdAt: expect.any(String),
      name: null,
      userId: null,
      organizationId: null,
      documentId: null,
      partitionId: null,
      public: true,
      title: "Ask us",
      logoUrl: "https://shop.example/logo.png",
      brandSettings: { color: "#1f4f8a", placeholder: "Ask" },
      messages: [],
    });
    expectNoIds(body);
    expect(headers.get("set-cookie")).toMatch(
      /^carrel_visitor=v1\..*; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    );
    expect(headers.get("cache-control")).toBe("private, no-store");
  });

  test.each([["message"], ["public"]])("sends to /%s and is answered", async (path) => {
    const chat = await createChat();
    const sent = await say(chat, "When does the room open in winter?", {}, path);
    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject({
      isSystem: true,
      chatId: chat,
      organizationId: null,
      userId: null,
      receipt: null,
      sourceDocuments: [
        {
          metadata: { id: null, documentUploadId: null, _distance: 1 },
          pageContent: "In winter the reading room opens at nine.",
        },
      ],
    });
    expect(sent.body.message).toContain("[1]");
    expectNoIds(sent.body);
    const again = await visit(chat, { cookie: cookieOf(sent.headers) });
    expect(again.body.messages.map(({ isSystem }) => isSystem)).toEqual([false, true]);
    expectNoIds(again.body);
  });

  test("streams without ids", async () => {
    const chat = await createChat();
    const response = await send(`${server.url}/api/chat/${chat}/public`, { body: { message: "winter", stream: true } });
    expect(response.headers.get("x-visitor-token")).not.toBeNull();
    const events = await readEvents(response);
    expect(events.map(({ event }) => event)).toEqual(["snippets", "delta", "done"]);
    expectNoIds(events);
  });

  test("sees no other visitor's messages, and a key sees all", async () => {
    const chat = await createChat({ title: null });
    const one = await say(chat, "My secret is winter");
    const two = await say(chat, "winter of the second");
    const seen = async (headers: Headers) => {
      const { body } = await visit(chat, { "X-Visitor-Token": headers.get("x-visitor-token") ?? "" });
      return body.messages.filter(({ isSystem }) => !isSystem).map(({ message }) => message);
    };
    expect(await seen(one.headers)).toEqual(["My secret is winter"]);
    expect(await seen(two.headers)).toEqual(["winter of the second"]);
    expect((await visit(chat)).body).toMatchObject({ messages: [], name: null, title: null });
    const all = await call<ChatWithMessages>(`${server.url}/api/chat/${chat}`, { key });
    expect(all.body.messages).toHaveLength(4);
    expect(all.body.name).toBe("My secret is winter");
    const { messages } = (await visit(chat, { cookie: cookieOf(one.headers) })).body;
    expect(messages.map(({ chatId }) => chatId)).toEqual([chat, chat]);
  });

  test("with a forged, cut or foreign token is somebody new", async () => {
    const chat = await createChat();
    const { headers } = await say(chat, "winter");
    const token = headers.get("x-visitor-token") ?? "";
    const changed = token.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    for (const forged of [changed, token.slice(0, -1), "v1.AAAAAAAAAAAAAAAAAAAAAA.zzzzzzzz.", "x".repeat(5_000)]) {
      const { status, body, headers: answered } = await visit(chat, { "X-Visitor-Token": forged });
      expect(status).toBe(200);
      expect(body.messages).toEqual([]);
      expect(answered.get("x-visitor-token")).not.toBe(token);
    }
  });

  test("is kept in one conversation, also by the cookie", async () => {
    const chat = await createChat();
    const first = await say(chat, "winter");
    const second = await say(chat, "winter again", { cookie: cookieOf(first.headers) });
    expect(second.headers.get("set-cookie")).toBeNull();
    expect((await visit(chat, { cookie: cookieOf(first.headers) })).body.messages).toHaveLength(4);
  });

  test("cannot name another thread: userId in the body is for callers with a key", async () => {
    const chat = await createChat();
    await call(`${server.url}/api/chat/${chat}/message`, { key, body: { message: "winter", userId: "ben" } });
    const { headers } = await call<SentMessage>(`${server.url}/api/chat/${chat}/message`, {
      body: { message: "winter too", userId: "ben" },
    });
    const { body } = await visit(chat, { cookie: cookieOf(headers) });
    expect(body.messages).toHaveLength(2);
  });

  test("keeps the token where answering fails", async () => {
    const gone = await server.document("In winter it is gone.");
    const chat = await createChat({ documentId: gone.id, partitionId: null });
    await server.store.documents.remove({ organizationId, partitionId: null }, gone.id);
    const refused = await say(chat, "winter");
    expect(refused.status).toBe(409);
    expect(refused.headers.get("x-visitor-token")).not.toBeNull();
    expectNoIds(refused.body);
  });
});

describe("without a key", () => {
  test("a private chat and one that does not exist look the same: 401", async () => {
    const chat = await createChat({ public: false });
    for (const id of [chat, Bun.randomUUIDv7(), "no%20id"]) {
      const answers = [
        await call(`${server.url}/api/chat/${id}`),
        await call(`${server.url}/api/chat/${id}/message`, { body: { message: "winter" } }),
        await call(`${server.url}/api/chat/${id}/public`, { body: { message: "winter" } }),
        await call(`${server.url}/api/chat/${id}/public`, { body: { message: 5 } }),
        await call(`${server.url}/api/chat/${id}/private`, { body: { message: "winter" } }),
      ];
      for (const { status, headers, body } of answers) {
        expect([status, body.code]).toEqual([401, "key_missing"]);
        expect(headers.get("www-authenticate")).toBe("Bearer");
        expect(headers.get("set-cookie")).toBeNull();
      }
    }
  });

  test("every other operation is a 401, on a public chat too", async () => {
    const chat = await createChat();
    const refused = [
      await call(`${server.url}/api/chat/${chat}/private`, { body: { message: "winter" } }),
      await call(`${server.url}/api/chat/${chat}`, { method: "PUT", body: { title: "Mine now" } }),
      await call(`${server.url}/api/chat/${chat}`, { method: "POST", body: { title: "Mine now" } }),
      await call(`${server.url}/api/chat/${chat}`, { method: "DELETE" }),
      await call(`${server.url}/api/chat`),
      await call(`${server.url}/api/chat`, { body: {} }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(Array(6).fill(401));
  });

  test("a wrong key is a 401, not a visitor", async () => {
    const chat = await createChat();
    const { status, body } = await call(`${server.url}/api/chat/${chat}`, { key: "crl_wrong" });
    expect([status, body.code]).toEqual([401, "key_unknown"]);
  });

  test("a long body is refused before it is read", async () => {
    const chat = await createChat();
    const { status, body } = await call(`${server.url}/api/chat/${chat}/message`, {
      body: { message: "x".repeat(300_000) },
    });
    expect([status, body.code]).toEqual([413, "body_too_large"]);
  });
});

describe("web origins", () => {
  const origins: [name: string, origin: () => string, status: number][] = [
    ["of the operator's list", () => "https://shop.example", 200],
    ["this server's own", () => server.url, 200],
    ["any other", () => "https://evil.example", 403],
    ["a sandboxed page", () => "null", 403],
  ];
  test.each(origins)("%s", async (_name, origin, status) => {
    const chat = await createChat();
    const seen = await visit(chat, { origin: origin() });
    const sent = await say(chat, "winter", { origin: origin() });
    expect([seen.status, sent.status]).toEqual([status, status]);
    if (status === 403) {
      const refused = await call(`${server.url}/api/chat/${chat}`, { headers: { origin: origin() } });
      expect({ ...withoutRequestId(refused.body), instance: "…" }).toMatchSnapshot();
    }
  });

  test("a key may come from anywhere", async () => {
    const chat = await createChat();
    const { status } = await call(`${server.url}/api/chat/${chat}`, {
      key,
      headers: { origin: "https://evil.example" },
    });
    expect(status).toBe(200);
  });
});

describe("limits", () => {
  test("20 messages a minute by default, then 429 with Retry-After; another visitor goes on", async () => {
    const limited = await serveQuestions();
    try {
      const admin = await limited.key();
      const { body: chat } = await call<ChatBody>(`${limited.url}/api/chat`, { key: admin, body: { public: true } });
      const tokenOf = async () => {
        const { headers } = await call<ChatWithMessages>(`${limited.url}/api/chat/${chat.id}`);
        return { "X-Visitor-Token": headers.get("x-visitor-token") ?? "" };
      };
      const post = (headers: Record<string, string>) =>
        call(`${limited.url}/api/chat/${chat.id}/message`, { body: { message: "winter" }, headers });
      const [one, two] = [await tokenOf(), await tokenOf()];
      for (let n = 0; n < 20; n++) expect((await post(one)).status).toBe(200);
      const refused = await post(one);
      expect(refused.status).toBe(429);
      expect(refused.body.code).toBe("rate_limited");
      expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
      expect((await post(two)).status).toBe(200);
      const messages = await call<ChatWithMessages>(`${limited.url}/api/chat/${chat.id}`, { headers: one });
      expect(messages.body.messages).toHaveLength(40);
      const byKey = await call(`${limited.url}/api/chat/${chat.id}/message`, {
        key: admin,
        body: { message: "winter" },
      });
      expect(byKey.status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});
