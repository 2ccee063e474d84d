import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { callServer } from "../call-server.ts";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const server = await startTestServer();

const signIn = (key: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ key }),
  });

/** The cookie as a browser sends it back. */
const cookieOf = (answer: Response): string => (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

const byCookie = (cookie: string, path: string, init: RequestInit = {}) =>
  fetch(server.url + path, { ...init, headers: { cookie, "content-type": "application/json", ...init.headers } });

const codeOf = async (answer: Response): Promise<unknown> => ((await answer.json()) as { code?: string }).code;

describe("a session", () => {
  test("stands for its key: signing in answers the key's record and sets a cookie that scripts cannot read", async () => {
    const key = await server.issueKey({ role: "writer" });
    const answer = await signIn(key);
    expect(answer.status).toBe(200);
    const record = (await answer.json()) as { id: string; role: string };
    expect(record.role).toBe("writer");
    expect(JSON.stringify(record)).not.toContain(key);
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^carrel_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
    const who = await byCookie(cookieOf(answer), "/api/session");
    expect(who.status).toBe(200);
    expect(await who.json()).toEqual(record);
    expect((await byCookie(cookieOf(answer), "/api/document")).status).toBe(200);
    expect((await byCookie(cookieOf(answer), "/api/key")).status).toBe(403);
  });

  test("changes something only with the header that no form can send", async () => {
    const cookie = cookieOf(await signIn(server.key));
    const post = (headers: Record<string, string>) =>
      byCookie(cookie, "/api/partition", { method: "POST", headers, body: JSON.stringify({ name: "P" }) });
    const refused = await post({});
    expect(refused.status).toBe(403);
    expect(await codeOf(refused)).toBe("session_header_missing");
    expect((await post({ "x-carrel-session": "0" })).status).toBe(403);
    expect((await post({ "x-carrel-session": "1" })).status).toBe(200);
  });

  test("counts on /api routes alone, and after a key of its own", async () => {
    const cookie = cookieOf(await signIn(server.key));
    expect((await byCookie(cookie, "/document/00000000-0000-7000-8000-000000000000")).status).toBe(401);
    expect((await byCookie(cookie, "/metrics")).status).toBe(401);
    const reader = await server.issueKey({ role: "reader" });
    const both = await byCookie(cookie, "/api/session", { headers: { authorization: `Bearer ${reader}` } });
    expect(((await both.json()) as { role: string }).role).toBe("reader");
  });

  test("ends when it is signed out, and its cookie is worth nothing then", async () => {
    const cookie = cookieOf(await signIn(server.key));
    const out = await byCookie(cookie, "/api/session", { method: "DELETE", headers: { "x-carrel-session": "1" } });
    expect(out.status).toBe(200);
    expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
    const after = await byCookie(cookie, "/api/session");
    expect(after.status).toBe(401);
    expect(await codeOf(after)).toBe("session_ended");
  });

  test("ends at once when its key is revoked", async () => {
    const key = await server.issueKey({ role: "reader" });
    const answer = await signIn(key);
    const { id } = (await answer.json()) as { id: string };
    expect((await byCookie(cookieOf(answer), "/api/document")).status).toBe(200);
    expect((await server.call(`/api/key/${id}`, { method: "DELETE" })).status).toBe(200);
    expect((await byCookie(cookieOf(answer), "/api/document")).status).toBe(401);
  });

  test("nobody is signed in without a cookie", async () => {
    expect((await fetch(`${server.url}/api/session`)).status).toBe(401);
    expect((await byCookie("carrel_session=", "/api/session")).status).toBe(401);
    expect((await byCookie("carrel_session=unknown", "/api/session")).status).toBe(401);
  });

  test("of a key-holder makes a public chat no other chat: without the header the request is a visitor's", async () => {
    const cookie = cookieOf(await signIn(server.key));
    const chat = (await (await server.post("/api/chat", { title: "T", public: true })).json()) as { id: string };
    const visited = await byCookie(cookie, `/api/chat/${chat.id}`);
    expect(visited.status).toBe(200);
    expect(((await visited.json()) as { organizationId: unknown }).organizationId).toBeNull();
    const held = await byCookie(cookie, `/api/chat/${chat.id}`, { headers: { "x-carrel-session": "1" } });
    expect(((await held.json()) as { organizationId: unknown }).organizationId).not.toBeNull();
  });

  test("reads a private chat as its key does, and a message to it names the header that is missing", async () => {
    const cookie = cookieOf(await signIn(server.key));
    const chat = (await (await server.post("/api/chat", { title: "T" })).json()) as { id: string };
    const read = await byCookie(cookie, `/api/chat/${chat.id}`);
    expect(read.status).toBe(200);
    expect(((await read.json()) as { organizationId: unknown }).organizationId).not.toBeNull();
    expect((await byCookie(cookie, "/api/chat/unknown")).status).toBe(404);
    const message = { method: "POST", body: JSON.stringify({ message: "Hello" }) };
    for (const path of ["message", "public", "private"]) {
      const refused = await byCookie(cookie, `/api/chat/${chat.id}/${path}`, message);
      expect(refused.status).toBe(403);
      expect(await codeOf(refused)).toBe("session_header_missing");
      const headers = { "x-carrel-session": "1" };
      expect((await byCookie(cookie, `/api/chat/${chat.id}/${path}`, { ...message, headers })).status).toBe(200);
    }
    const stranger = await byCookie(`carrel_session=${"x".repeat(43)}`, `/api/chat/${chat.id}`);
    expect(await codeOf(stranger)).toBe("key_missing");
  });
});

test("after ten wrong keys from an address the eleventh is refused, the right one too", async () => {
  const other = await startTestServer();
  const send = (key: string) =>
    fetch(`${other.url}/api/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key }),
    });
  for (let wrong = 0; wrong < 10; wrong += 1) expect((await send(`crl_${"x".repeat(43)}`)).status).toBe(401);
  for (const key of [`crl_${"x".repeat(43)}`, other.key]) {
    const refused = await send(key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
});

test("with a valid key too, sixty sessions a minute are begun; another key goes on, and the audit log holds no more", async () => {
  const other = await startTestServer();
  const send = (key: string) => callServer(other.url, "POST", "/api/session", { key: null, json: { key } });
  const answers = await Promise.all(Array.from({ length: 80 }, () => send(other.key)));
  const refused = answers.filter(({ status }) => status === 429);
  expect([refused.length, answers.filter(({ status }) => status === 200).length]).toEqual([20, 60]);
  for (const { body, headers } of refused)
    expect([body.code, Number(headers.get("retry-after")) > 0]).toEqual(["rate_limited", true]);
  expect((await send(await other.issueKey({ role: "admin" }))).status).toBe(200);
  const { headers } = await other.ask("GET", "/api/audit?action=session.created&limit=1");
  expect(headers.get("x-total-count")).toBe("61");
});

test("a session is kept over a restart", async () => {
  const dataDir = await temporaryFolder("test");
  const first = await startTestServer({}, {}, dataDir);
  const answer = await fetch(`${first.url}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: first.key }),
  });
  const cookie = cookieOf(answer);
  await first.stop();
  const second = await startTestServer({}, { adminKey: first.key }, dataDir);
  expect((await fetch(`${second.url}/api/session`, { headers: { cookie } })).status).toBe(200);
  await second.stop();
  await rm(dataDir, { recursive: true, force: true });
});
