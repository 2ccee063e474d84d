import { expect, setSystemTime, test } from "bun:test";
import { generateKey } from "../../src/access/key.ts";
import { createLogger } from "../../src/log/log.ts";
import { createRefusalNotes } from "../../src/sessions/routes.ts";
import { startTestServer } from "../start-server.ts";

// Each test comes from a network of its own.
const server = await startTestServer({ server: { trustedProxies: ["127.0.0.1"] } });

interface Entry {
  action: string;
  actor: { kind: string; keyId: string | null; keyName: string | null; userId: string; address: string };
  details: Record<string, unknown>;
}

const signIn = (key: string, address: string) =>
  server.ask("POST", "/api/session", { key: null, json: { key }, headers: { "x-forwarded-for": address } });

const entriesFor = async (key: string): Promise<Entry[]> =>
  (await server.ask("GET", "/api/audit?sortOrder=asc", { key })).body;

test("signing in and out: with which key, from where, without the cookie", async () => {
  const key = await server.issueKey({ organization: "Sessions", role: "admin", name: "Anna's key", userId: "anna" });
  const signedIn = await signIn(key, "192.0.2.1");
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const headers = { cookie, "x-carrel-session": "1", "x-forwarded-for": "192.0.2.1" };
  expect((await server.ask("DELETE", "/api/session", { key: null, headers })).status).toBe(200);
  const found = await entriesFor(key);
  const actor = { kind: "session", keyName: "Anna's key", userId: "anna", address: "192.0.2.1" };
  expect(found).toMatchObject([
    { action: "session.created", actor, details: {} },
    { action: "session.ended", actor, details: {} },
  ]);
  const text = JSON.stringify(found);
  for (const secret of [key, cookie.split("=")[1] ?? "-"]) expect(text).not.toContain(secret);
});

test("wrong keys: the first and the tenth of an address in a minute, told to the admins of `default`", async () => {
  const wrong = generateKey();
  for (let count = 0; count < 12; count += 1)
    expect((await signIn(wrong, "192.0.2.2")).status).toBe(count < 10 ? 401 : 429);
  const found = (await entriesFor(server.key)).filter(({ actor }) => actor.address === "192.0.2.2");
  const actor = { kind: "nobody", keyId: null, keyName: null, userId: "" };
  expect(found).toMatchObject([
    { action: "session.refused", actor, details: { code: "key_unknown", wrongKeys: 1 } },
    { action: "session.refused", actor, details: { code: "key_unknown", wrongKeys: 10 } },
  ]);
  expect(JSON.stringify(found)).not.toContain(wrong);
});

test("an expired key is told to its own organization, by name", async () => {
  const admin = await server.issueKey({ organization: "Expired", role: "admin" });
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const made = await server.ask("POST", "/api/key", { key: admin, json: { name: "Old laptop", expiresAt } });
  setSystemTime(Date.parse(expiresAt) + 1);
  const refused = await signIn(made.body.key, "192.0.2.3");
  setSystemTime();
  expect(refused.body.code).toBe("key_expired");
  expect((await entriesFor(admin)).slice(1)).toMatchObject([
    { action: "session.refused", actor: { kind: "nobody", keyName: "Old laptop" }, details: { code: "key_expired" } },
  ]);
});

test("strangers cannot fill the disk with entries", async () => {
  const added: unknown[] = [];
  const note = createRefusalNotes({
    store: {
      audit: { ...server.program.deps.store.audit, add: async (entry) => void added.push(entry) },
      organizations: server.program.deps.store.organizations,
    },
    log: createLogger({ level: "silent", format: "text" }),
  });
  for (let count = 0; count < 150; count += 1) {
    const client = { address: `198.51.100.${count}`, requestId: null };
    await note({ client, key: null, code: "key_unknown", wrongKeys: 1, now: Date.now() });
  }
  expect(added).toHaveLength(100);
});
