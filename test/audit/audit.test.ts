import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { pruneOld } from "../../src/audit/notes.ts";
import { startTestServer } from "../start-server.ts";
import { liveFor } from "../store/live-for.ts";
import { silentLog } from "../store/open-temporary-store.ts";

const server = await startTestServer();
afterEach(() => {
  setSystemTime();
});

interface Entry {
  action: string;
  targetId: string | null;
  outcome: string;
  actor: { kind: string; keyId: string | null; keyName: string | null; userId: string; address: string };
  details: Record<string, unknown>;
  requestId: string | null;
}

/** Each test has an organization of its own, and an admin key in it. */
const inOrganization = async (organization: string) => {
  const key = await server.issueKey({ organization, role: "admin", name: "Anna's key", userId: "anna" });
  const ask = (method: string, path: string, json?: unknown) => server.ask(method, path, { key, json });
  const entries = async (query = ""): Promise<Entry[]> => (await ask("GET", `/api/audit${query}`)).body;
  const actions = async (query = "") => (await entries(query)).map(({ action }) => action);
  return { key, ask, entries, actions };
};

describe("what is recorded", () => {
  test("keys made and revoked: by whom, from where, without the secret", async () => {
    const { key, ask, entries } = await inOrganization("Keys");
    const made = await ask("POST", "/api/key", { name: "Website", role: "writer", requestsPerMinute: 30 });
    await ask("DELETE", `/api/key/${made.body.id}`);
    const [revoked, created] = await entries();
    const actor = { kind: "key", keyName: "Anna's key", userId: "anna", address: "127.0.0.1" };
    expect(created).toMatchObject({
      action: "key.created",
      actor,
      targetId: made.body.id,
      details: { name: "Website", role: "writer", requestsPerMinute: 30, maxBytes: null },
      outcome: "done",
      requestId: made.headers.get("x-request-id"),
    });
    expect(revoked).toMatchObject({
      action: "key.revoked",
      actor,
      targetId: made.body.id,
      details: { name: "Website" },
    });
    const text = JSON.stringify(await entries());
    for (const secret of [key, made.body.key]) expect(text).not.toContain(secret);
  });

  test("a session and the operator's command line are told apart", async () => {
    const { key, ask, entries } = await inOrganization("Actors");
    const signedIn = await server.ask("POST", "/api/session", { key: null, json: { key } });
    const headers = {
      cookie: signedIn.headers.get("set-cookie")?.split(";")[0] ?? "",
      "x-carrel-session": "1",
      "content-type": "application/json",
    };
    await server.ask("POST", "/api/key", { key: null, headers, json: { name: "by session" } });
    await fetch("http://localhost/api/key", {
      unix: `${server.dataDir}/carrel.sock`,
      method: "POST",
      headers: { "x-carrel-organization": "Actors", "content-type": "application/json" },
      body: JSON.stringify({ name: "by operator" }),
    });
    await ask("POST", "/api/key", { name: "by key" });
    expect(
      (await entries("?sortOrder=asc")).map(({ actor, details }) => [details.name, actor.kind, actor.address]),
    ).toEqual([
      [undefined, "session", "127.0.0.1"], // signing in
      ["by session", "session", "127.0.0.1"],
      ["by operator", "operator", "local"],
      ["by key", "key", "127.0.0.1"],
    ]);
  });

  test("chats made public and changed: names of settings, no text", async () => {
    const { ask, entries } = await inOrganization("Chats");
    const quiet = await ask("POST", "/api/chat", { title: "Quiet hours" });
    await ask("PUT", `/api/chat/${quiet.body.id}`, {});
    await ask("PUT", `/api/chat/${quiet.body.id}`, {
      title: "Very quiet hours",
      logoUrl: "https://a.example/l.png",
      odd: 1,
    });
    await ask("PUT", `/api/chat/${quiet.body.id}`, { public: true });
    await ask("POST", `/api/chat/${quiet.body.id}`, { public: false, title: "Closed" });
    await ask("PUT", "/api/chat/chosen", { title: "Open house", public: true });
    await ask("POST", "/api/chat", { title: "Fair", public: true });
    await ask("DELETE", "/api/chat/chosen");
    const found = await entries("?sortOrder=asc");
    expect(found.map(({ action, details }) => [action, details])).toEqual([
      ["chat.changed", { fields: ["logoUrl", "title"] }],
      ["chat.published", { fields: ["public"] }],
      ["chat.unpublished", { fields: ["public", "title"] }],
      ["chat.published", { isNew: true }],
      ["chat.published", { isNew: true }],
      ["chat.deleted", {}],
    ]);
    expect(JSON.stringify(found)).not.toMatch(/quiet|Open house|Fair|Closed|l\.png/);
  });

  test("deletions: documents, and partitions with what was in them", async () => {
    const { ask, entries } = await inOrganization("Deletions");
    const add = async (partition?: string) =>
      (await ask("POST", "/api/ingest", { name: "Heronry", text: `Herons ${Bun.randomUUIDv7()}`, partition })).body;
    const document = await add();
    await ask("DELETE", `/api/document/${document.id}`);
    const { partitionId } = await add("Full");
    await add("Full");
    const refused = await ask("DELETE", `/api/partition/${partitionId}`);
    expect(refused.status).toBe(409);
    expect((await ask("DELETE", `/api/partition/${partitionId}?documents=delete`)).status).toBe(200);
    const found = await entries("?sortOrder=asc");
    expect(found).toMatchObject([
      { action: "document.deleted", targetId: document.id },
      { action: "partition.deleted", targetId: partitionId, details: { documents: 2, how: "delete" }, outcome: "done" },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/Heron|Full/);
  });

  test("exports, and an import once for all its requests", async () => {
    const { key, ask, entries } = await inOrganization("Moves");
    await ask("POST", "/api/ingest", { name: "Herons", text: "Herons nest in March." });
    const exported = await (await server.call("/api/export", { headers: { authorization: `Bearer ${key}` } })).text();
    const imported = async (body: string) =>
      (
        await server.call("/api/import", {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
          body,
        })
      ).status;
    expect(await imported("no JSON")).toBe(400);
    expect(await imported(exported)).toBe(200);
    expect(await imported(exported)).toBe(200);
    const found = await entries("?sortOrder=asc");
    expect(found.map(({ action, outcome, details }) => [action, outcome, details])).toEqual([
      ["organization.exported", "done", {}],
      ["organization.imported", "failed", {}],
      ["organization.imported", "done", {}],
    ]);
  });

  test("what was refused, and reading, leave nothing", async () => {
    const { ask, entries } = await inOrganization("Refused");
    const unknown = Bun.randomUUIDv7();
    for (const path of ["document", "partition", "key", "chat"]) {
      expect((await ask("DELETE", `/api/${path}/${unknown}`)).status).toBe(404);
      expect((await ask("DELETE", `/api/${path}/none`)).status).toBe(404);
    }
    expect((await ask("POST", "/api/key", { name: "x", partitionId: unknown })).status).toBe(404);
    expect((await ask("POST", "/api/key", { name: "x", expiresAt: "2001-01-01T00:00:00Z" })).status).toBe(400);
    expect((await ask("POST", "/api/chat", { public: true, documentId: unknown })).status).toBe(404);
    const foreign = await inOrganization("Others");
    const { body } = await foreign.ask("POST", "/api/key", { name: "theirs" });
    expect((await ask("DELETE", `/api/key/${body.id}`)).status).toBe(404);
    expect(await entries()).toEqual([]);
  });

  test("the key of the first start", async () => {
    const { body } = await server.ask("GET", "/api/audit?action=key.created");
    expect(body).toMatchObject([
      { actor: { kind: "start", keyId: null }, details: { name: "CARREL_ADMIN_KEY", role: "admin" } },
    ]);
  });
});

describe("GET /api/audit", () => {
  test("pages, filters by action and time, and counts", async () => {
    const { ask, actions, entries } = await inOrganization("Lists");
    const startedAt = Date.now();
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      setSystemTime(new Date(startedAt + count * 1_000));
      ids.push((await ask("POST", "/api/key", { name: `k${count}` })).body.id);
    }
    await ask("DELETE", `/api/key/${ids[0]}`);
    expect(await actions("?limit=2")).toEqual(["key.revoked", "key.created"]);
    expect((await entries("?limit=2&skip=1&sortOrder=asc")).map(({ targetId }) => targetId)).toEqual(ids.slice(1, 3));
    expect(await actions("?action=key.revoked")).toEqual(["key.revoked"]);
    const since = new Date(startedAt + 2_000).toISOString();
    expect((await entries(`?since=${since}&sortOrder=asc&action=key.created`)).map(({ targetId }) => targetId)).toEqual(
      ids.slice(2),
    );
    const { headers } = await ask("GET", "/api/audit?limit=1&action=key.created");
    expect(headers.get("x-total-count")).toBe("4");
    for (const [query, path] of [
      ["since=yesterday", "since"],
      ["since=2026-02-31T00:00:00Z", "since"],
      ["action=key.stolen", "action"],
      ["limit=101", "limit"],
    ]) {
      const { status, body } = await ask("GET", `/api/audit?${query}`);
      expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
    }
  });

  test("entries are kept for 90 days", async () => {
    const { ask, actions } = await inOrganization("Kept");
    const { store } = server.program.deps;
    const prune = (): Promise<void> => pruneOld(store, { receiptsMs: 1_000 }, silentLog).close();
    await ask("POST", "/api/key", { name: "old" });
    // Also where the clock is years ahead for a while: what it dates then is not kept for years.
    setSystemTime(new Date(Date.now() + 1_500 * 86_400_000));
    await ask("POST", "/api/key", { name: "dated by a wrong clock" });
    await prune();
    expect(await actions()).toEqual(["key.created", "key.created"]);
    setSystemTime();
    liveFor(store.ages, 89);
    await prune();
    expect(await actions()).toEqual(["key.created", "key.created"]);
    liveFor(store.ages, 2);
    await prune();
    expect(await actions()).toEqual([]);
  });
});
