import { describe, expect, test } from "bun:test";
import { expectEventStream, expectOk, expectProblem, nobody } from "./expectations.ts";
import { type Answer, serveCarrel } from "./serve-carrel.ts";

/** Sections 5.3 of the specification and 6 of the contract: public chats without a key. */

type Json = Answer["body"];

const carrel = await serveCarrel({
  config: (config) => {
    config.publicChats.allowedOrigins = ["https://shop.example"];
  },
});
const call = carrel.call;
const document = expectOk(
  await call("POST", "/api/ingest", {
    json: { name: "House rules", text: "In winter the museum opens at nine.", partition: "Kitchen" },
  }),
);

const settings = {
  title: "Ask us",
  logoUrl: "https://shop.example/l.png",
  brandSettings: { colour: "red" },
  public: true,
};
const make = async (json: object = {}): Promise<string> =>
  expectOk(
    await call("POST", "/api/chat", {
      json: { ...settings, documentId: document.id, partitionId: document.partitionId, userId: "anna", ...json },
    }),
  ).id;
const visit = (id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call("GET", `/api/chat/${id}`, { key: null, headers });
const say = (
  id: string,
  message: string,
  headers: Record<string, string> = {},
  path = "message",
  more: object = {},
): Promise<Answer> => call("POST", `/api/chat/${id}/${path}`, { key: null, headers, json: { message, ...more } });
const tokenOf = ({ headers }: Answer): Record<string, string> => ({
  "x-visitor-token": headers.get("x-visitor-token") ?? "",
});
const cookieOf = ({ headers }: Answer): Record<string, string> => ({
  cookie: headers.get("set-cookie")?.split(";", 1)[0] ?? "",
});
const question = "When does the museum open in winter?";

/** Nothing names the organization, its users, documents or partitions. */
const expectNoIds = (text: string) => {
  for (const secret of [
    document.organizationId,
    document.id,
    document.partitionId,
    "anna",
    "House rules",
    "Kitchen",
    "Campaign 7",
  ])
    expect(text).not.toContain(secret);
};

describe("a visitor of a public chat", () => {
  test("GET /api/chat/:id shows title, logo, brand and this visitor's messages, and nothing of the organization", async () => {
    const brandSettings = {
      color: "#1f4f8a",
      placeholder: "Ask",
      note: "Campaign 7",
      accentColor: { deep: "Campaign 7" },
    };
    const id = await make({ brandSettings, name: "Internal" });
    const first = await visit(id);
    expect(expectOk(first)).toEqual({
      id,
      createdAt: expect.any(String),
      name: null,
      userId: null,
      organizationId: null,
      documentId: null,
      partitionId: null,
      public: true,
      title: settings.title,
      logoUrl: settings.logoUrl,
      brandSettings: { color: "#1f4f8a", placeholder: "Ask" },
      messages: [],
    });
    expect(first.headers.get("cache-control")).toBe("private, no-store");
    const answer = await say(id, question, tokenOf(first));
    const again = await visit(id, tokenOf(first));
    expect(expectOk(again).messages.map(({ isSystem, message }: Json) => [isSystem, message])).toEqual([
      [false, question],
      [true, expectOk(answer).message],
    ]);
    for (const { text } of [first, answer, again]) expectNoIds(text);
  });

  test.each(["message", "public"])("POST …/%s answers with the answer's Message, without ids", async (path) => {
    const id = await make();
    const answer = await say(id, question, {}, path);
    expect(expectOk(answer)).toMatchObject({ isSystem: true, chatId: id, organizationId: null, userId: null });
    expect(answer.body.message).toContain("at nine");
    expect(answer.body.receipt).toBeNull();
    expect(answer.body.sourceDocuments[0].metadata).toMatchObject({ id: null, documentUploadId: null });
    expect(answer.body.sourceDocuments[0].pageContent).toContain("at nine");
    expectNoIds(answer.text);
  });

  test("streams, without ids either", async () => {
    const id = await make();
    for (const [more, headers] of [
      [{ stream: true }, {}],
      [{}, { accept: "text/event-stream" }],
    ] as const) {
      const answer = await say(id, question, headers, "public", more);
      const events = expectEventStream(answer);
      expect([events[0]?.event, events.at(-1)?.event]).toEqual(["snippets", "done"]);
      expect(answer.headers.get("x-visitor-token")).toBeTruthy();
      expectNoIds(answer.text);
    }
  });

  test("/private without a key is 401", async () => {
    expectProblem(await say(await make(), question, {}, "private"), 401, "key_missing");
  });

  test("a chat whose document is gone is a 409 that says so, and can still be read", async () => {
    const gone = expectOk(await call("POST", "/api/ingest", { json: { name: "G", text: "gone soon" } }));
    const id = await make({ documentId: gone.id, partitionId: null });
    expectOk(await call("DELETE", `/document/${gone.id}`));
    const refused = await say(id, question);
    expectProblem(refused, 409, "chat_scope_gone");
    expect(refused.headers.get("x-visitor-token")).not.toBeNull();
    expectNoIds(refused.text);
    expectOk(await visit(id));
  });
});

describe("everything else without a key is 401", () => {
  test("a private chat, and one that does not exist: not 404 or 200 by guess", async () => {
    const id = await make({ public: false });
    const texts = new Set<string>();
    for (const chat of [id, nobody, "none", "a b", "x".repeat(100)]) {
      const path = encodeURIComponent(chat);
      for (const answer of [
        await visit(path),
        await say(path, question),
        await say(path, question, {}, "public"),
        await say(path, question, {}, "private"),
      ]) {
        const { detail, code } = expectProblem(answer, 401, "key_missing");
        texts.add(`${code} ${detail}`);
        expect(answer.headers.get("x-visitor-token")).toBeNull();
        expect(answer.headers.get("set-cookie")).toBeNull();
      }
    }
    expect(texts.size).toBe(1);
    expect(expectOk(await call("GET", `/api/chat/${id}`)).messages).toEqual([]);
  });

  test("changing, deleting and listing", async () => {
    const id = await make();
    for (const [method, path] of [
      ["PUT", `/api/chat/${id}`],
      ["POST", `/api/chat/${id}`],
      ["DELETE", `/api/chat/${id}`],
      ["DELETE", `/chat/${id}`],
      ["GET", "/api/chat"],
      ["POST", "/api/chat"],
    ] as const)
      expectProblem(await call(method, path, { key: null, headers: tokenOf(await visit(id)) }), 401, "key_missing");
    expect((await call("GET", `/api/chat/${id}`)).body.title).toBe("Ask us");
  });

  test("a chat made private again is closed at once", async () => {
    const id = await make();
    const headers = tokenOf(await visit(id));
    expectOk(await call("PUT", `/api/chat/${id}`, { json: { public: false } }));
    expectProblem(await visit(id, headers), 401, "key_missing");
    expectProblem(await say(id, question, headers), 401, "key_missing");
  });

  test("a wrong key is not taken for a visitor", async () => {
    const id = await make();
    expectProblem(await call("GET", `/api/chat/${id}`, { key: "crl_wrong" }), 401, "key_unknown");
    expectProblem(
      await call("GET", `/api/chat/${id}`, { key: await carrel.foreignKey("other") }),
      404,
      "chat_not_found",
    );
  });
});

describe("visitors", () => {
  test("have a signed token: an HttpOnly cookie carrel_visitor and the header X-Visitor-Token; either leads back", async () => {
    const id = await make();
    const first = await say(id, question);
    expect(first.headers.get("set-cookie")).toMatch(
      /^carrel_visitor=v1\..*; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    );
    for (const headers of [tokenOf(first), cookieOf(first), { cookie: `a=b; ${cookieOf(first).cookie}; c=d` }]) {
      const again = await visit(id, headers);
      expect(expectOk(again).messages).toHaveLength(2);
      expect(again.headers.get("x-visitor-token")).toBe(first.headers.get("x-visitor-token"));
    }
  });

  test("see only their own messages; a follow-up takes nothing from another's", async () => {
    const id = await make();
    const [ann, bob] = [await visit(id), await visit(id)];
    expect(tokenOf(ann)).not.toEqual(tokenOf(bob));
    expectOk(await say(id, "museum winter for Ann", tokenOf(ann)));
    expectOk(await say(id, "museum winter for Bob", tokenOf(bob)));
    for (const [visitor, own, other] of [
      [ann, "Ann", "Bob"],
      [bob, "Bob", "Ann"],
    ] as const) {
      const { text } = await visit(id, tokenOf(visitor));
      expect(text).toContain(own);
      expect(text).not.toContain(other);
    }
    expect(expectOk(await visit(id)).messages).toEqual([]);
  });

  test("a forged, cut or foreign token is somebody new", async () => {
    const id = await make();
    const first = await say(id, question);
    const token = first.headers.get("x-visitor-token") ?? "";
    const changed = `${token.slice(0, 10)}${token[10] === "A" ? "B" : "A"}${token.slice(11)}`;
    for (const forged of [
      changed,
      token.slice(0, -1),
      `${token}x`,
      "v1.x.y.z",
      "null",
      token.toLowerCase(),
      "x".repeat(5_000),
    ]) {
      const answer = await visit(id, { "x-visitor-token": forged });
      expect(expectOk(answer).messages).toEqual([]);
      expect(answer.headers.get("x-visitor-token")).not.toBe(token);
    }
  });

  test("are not the callers with a key: userId in a key holder's body names another thread", async () => {
    const id = await make();
    const visitor = await say(id, question);
    expectOk(
      await call("POST", `/api/chat/${id}/message`, { json: { message: "museum winter for Carl", userId: "Carl" } }),
    );
    expect((await visit(id, tokenOf(visitor))).text).not.toContain("Carl");
    expectOk(await say(id, question, tokenOf(visitor), "message", { userId: "Carl" }));
    expect(expectOk(await visit(id, tokenOf(visitor))).messages).toHaveLength(4);
    expect(expectOk(await call("GET", `/api/chat/${id}?userId=Carl`)).messages).toHaveLength(2);
    expect(expectOk(await call("GET", `/api/chat/${id}`)).messages).toHaveLength(6);
  });
});

describe("limits", () => {
  test("20 messages a minute for each visitor, then 429 with Retry-After; what is refused is not stored", async () => {
    const limited = await serveCarrel();
    const { id } = expectOk(await limited.call("POST", "/api/chat", { json: { public: true } }));
    const open = await limited.call("GET", `/api/chat/${id}`, { key: null });
    const send = () =>
      limited.call("POST", `/api/chat/${id}/message`, {
        key: null,
        headers: tokenOf(open),
        json: { message: "hello" },
      });
    for (let at = 0; at < 20; at += 1) expectOk(await send());
    const refused = await send();
    expect(expectProblem(refused, 429, "rate_limited").detail).toMatch(/\d+ s/);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(expectOk(await limited.call("GET", `/api/chat/${id}`)).messages).toHaveLength(40);
    const another = { key: null, json: { message: "hello" } };
    for (const sent of [another, { json: { message: "with a key" } }])
      expectOk(await limited.call("POST", `/api/chat/${id}/message`, sent));
  });

  test("chats are asked for without a key 300 times a minute from one address, unknown ids included", async () => {
    const limited = await serveCarrel();
    const { id } = expectOk(await limited.call("POST", "/api/chat", { json: { public: true } }));
    const tried = (at: number): Promise<Answer> =>
      at % 3 === 0
        ? limited.call("POST", `/api/chat/guess-${at}/message`, { key: null, json: { message: "hello" } })
        : limited.call("GET", `/api/chat/guess-${at}`, { key: null });
    for (let at = 0; at < 300; at += 1) expectProblem(await tried(at), 401, "key_missing");
    for (const method of ["GET", "POST"]) {
      const json = method === "POST" ? { json: { message: "hello" } } : {};
      for (const path of [`/api/chat/${id}`, "/api/chat/guess"]) {
        const at = method === "POST" ? `${path}/public` : path;
        const refused = await limited.call(method, at, { key: null, ...json });
        expectProblem(refused, 429, "rate_limited");
        expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
      }
    }
    expectOk(await limited.call("GET", `/api/chat/${id}`));
  });

  test("of one chat, a minute and a day, are settings", async () => {
    for (const setting of ["chatMessagesPerMinute", "chatMessagesPerDay"] as const) {
      const limited = await serveCarrel({
        config: (config) => {
          config.publicChats[setting] = 2;
        },
      });
      try {
        const { id } = expectOk(await limited.call("POST", "/api/chat", { json: { public: true } }));
        const send = () => limited.call("POST", `/api/chat/${id}/public`, { key: null, json: { message: "hello" } });
        for (let at = 0; at < 2; at += 1) expectOk(await send());
        const refused = await send();
        expectProblem(refused, 429, "rate_limited");
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      } finally {
        await limited.stop();
      }
    }
  });
});

describe("web origins", () => {
  test("those allowed may use a public chat, and read the answer", async () => {
    const id = await make();
    for (const origin of ["https://shop.example", carrel.url]) {
      const answer = await say(id, question, { origin });
      expectOk(answer);
      if (origin !== carrel.url) expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      expectOk(await visit(id, { origin }));
    }
    const headers = {
      origin: "https://shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-visitor-token",
    };
    const preflight = await call("OPTIONS", `/api/chat/${id}/message`, { key: null, headers });
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://shop.example");
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("x-visitor-token");
  });

  test("others are refused with 403 and stored nowhere; they may call nothing else either", async () => {
    const id = await make();
    for (const origin of ["https://evil.example", "null", "https://shop.example.evil.example"]) {
      const answer = await say(id, question, { origin });
      expectProblem(answer, 403, "origin_forbidden");
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expectProblem(await visit(id, { origin }), 403, "origin_forbidden");
    }
    // A caller with a key may come from anywhere.
    const headers = { origin: "https://evil.example" };
    expect(expectOk(await call("GET", `/api/chat/${id}`, { headers })).messages).toEqual([]);
    const list = await call("GET", "/api/document", { headers: { origin: "https://shop.example" } });
    expect(list.headers.get("access-control-allow-origin")).toBeNull();
  });
});
