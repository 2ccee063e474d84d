import { expect, setSystemTime, test } from "bun:test";
import { createHash } from "node:crypto";
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { freePort } from "../free-port.ts";
import { serve } from "../serve.ts";
import { type ConfigChange, startTestServer } from "../start-server.ts";
import { liveFor } from "../store/live-for.ts";

/** OAuth as clients of MCP do it, against a whole server; the user's decision is sent as the page sends it. */

const port = await freePort();
const change: ConfigChange = {
  server: { port, baseUrl: `http://127.0.0.1:${port}` },
  mcp: { oauth: true },
  fetch: { allowPrivateAddresses: true },
};
const server = await startTestServer(change);
await server.post("/api/ingest", { name: "Boiler", text: "The boiler is serviced every March.", partition: "house" });

const callback = "http://127.0.0.1:9/callback";
const verifier = "v".repeat(50);
const challenge = createHash("sha256").update(verifier).digest("base64url");

const register = async (metadata: unknown = { client_name: "Probe", redirect_uris: [callback] }) =>
  server.ask("POST", "/oauth/register", { key: null, json: metadata });
const clientId = async (): Promise<string> => (await register()).body.client_id;

const queryOf = (client: string, change: Record<string, string> = {}): string =>
  new URLSearchParams({
    response_type: "code",
    client_id: client,
    redirect_uri: callback,
    state: "s t&",
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: `${server.url}/mcp`,
    ...change,
  }).toString();

/** Decides as the page does. @returns where the user goes on */
const decide = async (query: string, decision: object = {}, key = server.key) =>
  server.ask("POST", "/oauth/authorize", { key, json: { query, isAllowed: true, ...decision } });
const codeFor = async (client: string, decision: object = {}, key = server.key): Promise<string> => {
  const { body } = await decide(queryOf(client), decision, key);
  return new URL(body.redirect).searchParams.get("code") ?? "";
};
const token = (fields: Record<string, string>) =>
  server.ask("POST", "/oauth/token", { key: null, body: new URLSearchParams(fields) });
const redeem = async (client: string, code: string, change: Record<string, string> = {}) =>
  token({
    grant_type: "authorization_code",
    client_id: client,
    code,
    redirect_uri: callback,
    code_verifier: verifier,
    resource: `${server.url}/mcp`,
    ...change,
  });
const statusOf = async (key: string): Promise<number> => (await server.ask("GET", "/api/document", { key })).status;

test.each(["legacy", "auto"] as const)(
  "%s: a client that knows only the address gets in, and goes on an hour later",
  async (mode) => {
    let tokens: Record<string, unknown> | undefined;
    let information: Record<string, unknown> | undefined;
    let sentTo: URL | null = null;
    let kept = "";
    const provider = {
      redirectUrl: callback,
      clientMetadata: { client_name: "Assistant", redirect_uris: [callback], token_endpoint_auth_method: "none" },
      clientInformation: () => information,
      saveClientInformation: (given: Record<string, unknown>) => {
        information = given;
      },
      tokens: () => tokens,
      saveTokens: (given: Record<string, unknown>) => {
        tokens = given;
      },
      redirectToAuthorization: (url: URL) => {
        sentTo = url;
      },
      saveCodeVerifier: (given: string) => {
        kept = given;
      },
      codeVerifier: () => kept,
    } as unknown as OAuthClientProvider;
    const transport = () => new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider: provider });
    const client = () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });

    const first = transport();
    await client()
      .connect(first)
      .catch(() => undefined);
    const address = sentTo as URL | null;
    expect(address?.pathname).toBe("/oauth/authorize");
    const page = await fetch(address ?? "", { redirect: "manual" });
    expect([page.status, (await page.text()).includes("Assistant")]).toEqual([200, true]);
    const { body } = await decide(address?.search.slice(1) ?? "");
    await first.finishAuth(new URL(body.redirect).searchParams);

    const signedIn = client();
    await signedIn.connect(transport());
    const found = await signedIn.callTool({ name: "search", arguments: { query: "boiler" } });
    expect(JSON.stringify(found.structuredContent)).toContain("every March");
    expect((await signedIn.listTools()).tools.map(({ name }) => name)).not.toContain("add_document");
    await signedIn.close();

    // Its key expires; the client refreshes by itself.
    const { store } = server.program.deps;
    const record = store.keys.getByHash(
      new Bun.CryptoHasher("sha256").update(String(tokens?.access_token)).digest("hex"),
    );
    if (record === null) throw new Error("the token is no key");
    expect((record.expiresAt ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
    await store.keys.change({ ...record, expiresAt: Date.now() - 1 });
    const before = tokens?.access_token;
    const later = client();
    await later.connect(transport());
    expect((await later.listTools()).tools).toHaveLength(4);
    expect(tokens?.access_token).not.toBe(before);
    await later.close();
    // Under /keys there is one key for it, which ends its access when it is revoked.
    const keys = (await server.ask("GET", "/api/key?limit=100")).body.filter(
      ({ id }: { id: string }) => id === record.id,
    );
    expect(keys).toEqual([expect.objectContaining({ name: "Assistant", role: "reader" })]);
    expect((await server.ask("DELETE", `/api/key/${record.id}`)).status).toBe(200);
    expect(
      (
        await token({
          grant_type: "refresh_token",
          client_id: String(information?.client_id),
          refresh_token: String(tokens?.refresh_token),
        })
      ).body.error,
    ).toBe("invalid_grant");
  },
);

test("without a key the challenge says where to sign in; a foreign origin is 403 before that", async () => {
  const ask = (headers: Record<string, string>) => server.ask("POST", "/mcp", { key: null, json: {}, headers });
  const { status, headers } = await ask({});
  expect([status, headers.get("www-authenticate")]).toEqual([
    401,
    `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="read"`,
  ]);
  expect((await ask({ origin: "https://evil.example" })).status).toBe(403);
  const resource = (await server.ask("GET", "/.well-known/oauth-protected-resource/mcp", { key: null })).body;
  expect(resource).toMatchObject({ resource: `${server.url}/mcp`, authorization_servers: [server.url] });
  const metadata = (await server.ask("GET", "/.well-known/oauth-authorization-server", { key: null })).body;
  expect(metadata).toMatchObject({ issuer: server.url, code_challenge_methods_supported: ["S256"] });
});

test("an unknown client or redirect is a page with 400, never a redirect", async () => {
  const id = await clientId();
  for (const [client, change] of [
    ["nobody", {}],
    [`${id}x`, {}],
    [id.replace(/^crc_./, "crc_A"), {}],
    [id, { redirect_uri: "https://evil.example/callback" }],
    [id, { redirect_uri: "http://127.0.0.1:9/other" }],
    [id, { redirect_uri: "javascript:alert(1)" }],
    ["http://127.0.0.1:9/no-such-document", {}],
  ] as const) {
    const { status, headers, text } = await server.ask("GET", `/oauth/authorize?${queryOf(client, change)}`, {
      key: null,
    });
    expect([status, headers.get("location"), headers.get("content-type"), text.includes("<script")]).toEqual([
      400,
      null,
      "text/html; charset=utf-8",
      false,
    ]);
    expect((await decide(queryOf(client, change))).status).toBe(400);
  }
  const twice = `${queryOf(id)}&redirect_uri=${encodeURIComponent("https://evil.example/")}`;
  expect((await server.ask("GET", `/oauth/authorize?${twice}`, { key: null })).status).toBe(400);
  // A program on the user's machine takes any free port.
  const page = await server.ask(
    "GET",
    `/oauth/authorize?${queryOf(id, { redirect_uri: "http://127.0.0.1:40123/callback" })}`,
  );
  expect([page.status, page.headers.get("content-security-policy")]).toEqual([
    200,
    expect.stringContaining("frame-ancestors 'none'"),
  ]);
});

test.each([
  ["unsupported_response_type", { response_type: "token" }],
  ["invalid_request", { code_challenge_method: "plain" }],
  ["invalid_request", { code_challenge: "" }],
  ["invalid_target", { resource: "https://elsewhere.example/mcp" }],
])("%s goes back to the client, with state and iss: %j", async (error, change) => {
  const { status, headers } = await server.ask("GET", `/oauth/authorize?${queryOf(await clientId(), change)}`, {
    key: null,
  });
  const location = new URL(headers.get("location") ?? "");
  expect([status, location.origin + location.pathname]).toEqual([302, callback]);
  expect(Object.fromEntries(location.searchParams)).toMatchObject({ error, state: "s t&", iss: server.url });
});

test("only who signed in decides, and allows no more than it may itself", async () => {
  const query = queryOf(await clientId());
  expect((await server.ask("POST", "/oauth/authorize", { key: null, json: { query, isAllowed: true } })).status).toBe(
    401,
  );
  const { id: partitionId } = (await server.ask("GET", "/api/partition/search?searchValue=house")).body[0];
  const reader = await server.issueKey({ role: "reader", partitionId });
  expect((await decide(query, { role: "writer" }, reader)).status).toBe(403);
  expect((await decide(query, { role: "admin" })).status).toBe(400);
  expect((await decide(query, { partitionId: "0198c5a0-7c1e-7d53-9f5b-2f1f6c0c9a10" })).status).toBe(404);
  // The session's cookie counts with its header alone.
  const session = await server.ask("POST", "/api/session", { key: null, json: { key: reader } });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  const byCookie = (headers: Record<string, string>) =>
    server.ask("POST", "/oauth/authorize", {
      key: null,
      json: { query, isAllowed: true },
      headers: { cookie, ...headers },
    });
  expect((await byCookie({})).status).toBe(403);
  const { body } = await byCookie({ "x-carrel-session": "1" });
  const code = new URL(body.redirect).searchParams.get("code") ?? "";
  const given = await redeem(new URLSearchParams(query).get("client_id") ?? "", code);
  expect(given.body).toMatchObject({ token_type: "Bearer", scope: "read" });
  // Limited as who allowed it, and it lets nobody else in.
  const mine = (await server.ask("GET", "/api/session", { key: given.body.access_token })).body;
  expect(mine).toMatchObject({ role: "reader", partitionId });
  expect((await decide(query, {}, given.body.access_token)).status).toBe(403);
  const refused = await decide(query, { isAllowed: false });
  expect(refused.body.redirect).toContain("error=access_denied");
});

test("a code is good once, for its client, redirect and verifier; used again it ends what it gave", async () => {
  const [id, other] = [
    await clientId(),
    (await register({ client_name: "Other", redirect_uris: [callback] })).body.client_id,
  ];
  const errorOf = async (code: string, change: Record<string, string>, client = id) => {
    const { status, body, headers } = await redeem(client, code, change);
    expect([status, headers.get("cache-control")]).toEqual([400, "no-store"]);
    return body.error;
  };
  expect(await errorOf(await codeFor(id), { code_verifier: "w".repeat(50) })).toBe("invalid_grant");
  expect(await errorOf(await codeFor(id), { redirect_uri: "http://127.0.0.1:9/other" })).toBe("invalid_grant");
  expect(await errorOf(await codeFor(id), {}, other)).toBe("invalid_grant");
  expect(await errorOf(await codeFor(id), { resource: "https://elsewhere.example/mcp" })).toBe("invalid_target");
  expect(await errorOf("nothing", {})).toBe("invalid_grant");
  expect(await errorOf("x", { grant_type: "password" })).toBe("unsupported_grant_type");
  expect(await errorOf("", {})).toBe("invalid_request");
  // A wrong try spends it.
  const spent = await codeFor(id);
  await redeem(id, spent, { code_verifier: "w".repeat(50) });
  expect(await errorOf(spent, {})).toBe("invalid_grant");

  const code = await codeFor(id);
  const { body } = await redeem(id, code);
  expect(await statusOf(body.access_token)).toBe(200);
  expect(await errorOf(code, {})).toBe("invalid_grant");
  expect(await statusOf(body.access_token)).toBe(401);
});

test("refreshing ends the key before; a refresh token used twice ends the access", async () => {
  const id = await clientId();
  const first = (await redeem(id, await codeFor(id, { role: "writer" }))).body;
  expect(first.scope).toBe("read write");
  const refresh = (refresh_token: string, client_id = id) =>
    token({ grant_type: "refresh_token", client_id, refresh_token });
  expect((await refresh(first.refresh_token, "another")).body.error).toBe("invalid_grant");
  const second = (await refresh(first.refresh_token)).body;
  expect([await statusOf(first.access_token), await statusOf(second.access_token)]).toEqual([401, 200]);
  const third = (await refresh(second.refresh_token)).body;
  expect((await refresh(first.refresh_token)).body.error).toBe("invalid_grant");
  expect(await statusOf(third.access_token)).toBe(401);
  expect((await refresh(third.refresh_token)).body.error).toBe("invalid_grant");
  const audit = (await server.ask("GET", "/api/audit?limit=5")).body;
  expect(audit[0]).toMatchObject({ action: "key.revoked", details: { name: "Probe" } });
});

test("a clock that is years ahead for a while shuts no client out; a month without a refresh does", async () => {
  const id = await clientId();
  const redeemed = async () => (await redeem(id, await codeFor(id))).body.refresh_token;
  const refresh = async (refresh_token: string) =>
    (await token({ grant_type: "refresh_token", client_id: id, refresh_token })).body;
  const kept = await redeemed();
  setSystemTime(new Date(Date.now() + 9 * 365 * 86_400_000));
  let ahead: string;
  try {
    ahead = await redeemed();
  } finally {
    setSystemTime();
  }
  const { refresh_token: next } = await refresh(kept);
  expect(next).toBeString();
  expect(await refresh(ahead)).toMatchObject({ token_type: "Bearer" });
  try {
    liveFor(server.program.deps.store.ages, 31);
    expect(await refresh(next)).toMatchObject({ error: "invalid_grant" });
  } finally {
    setSystemTime();
  }
});

test("revoking a key ends what it allowed at once", async () => {
  const grantor = await server.issueKey({ role: "writer" });
  const id = await clientId();
  const { body } = await redeem(id, await codeFor(id, {}, grantor));
  const { id: keyId } = (await server.ask("GET", "/api/session", { key: grantor })).body;
  expect(await statusOf(body.access_token)).toBe(200);
  await server.ask("DELETE", `/api/key/${keyId}`);
  expect(await statusOf(body.access_token)).toBe(401);
});

test("a client may be named by the address of its document", async () => {
  let document: object = {};
  const host = serve(({ url }) =>
    new URL(url).pathname === "/moved" ? Response.redirect("/client.json") : Response.json(document),
  );
  const id = `${host.url}/client.json`;
  document = { client_id: id, client_name: "By document", redirect_uris: [callback] };
  const page = await server.ask("GET", `/oauth/authorize?${queryOf(id)}`, { key: null });
  expect([page.status, page.text.includes("By document"), page.text.includes(`127.0.0.1:${host.port}`)]).toEqual([
    200,
    true,
    true,
  ]);
  const { body } = await redeem(id, await codeFor(id));
  expect(await statusOf(body.access_token)).toBe(200);
  // One that speaks for another, and one that is elsewhere.
  for (const path of ["/other.json", "/moved"])
    expect((await server.ask("GET", `/oauth/authorize?${queryOf(`${host.url}${path}`)}`)).status).toBe(400);
});

test.each([
  [{}, "invalid_redirect_uri"],
  [{ redirect_uris: [] }, "invalid_redirect_uri"],
  [{ redirect_uris: ["http://evil.example/"] }, "invalid_redirect_uri"],
  [{ redirect_uris: ["https://good.example/#x"] }, "invalid_redirect_uri"],
  [{ redirect_uris: ["myapp://callback"] }, "invalid_redirect_uri"],
  [{ redirect_uris: [callback], client_name: 3 }, "invalid_client_metadata"],
])("a registration that is wrong: %j", async (metadata, error) => {
  const { status, body } = await register(metadata);
  expect([status, body.error]).toEqual([400, error]);
});

test("registrations of one address have a limit", async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 40; at += 1) statuses.push((await register()).status);
  expect(statuses).toContain(429);
});

test("without the setting nothing of it is there", async () => {
  const plain = await startTestServer();
  for (const path of ["/oauth/authorize", "/.well-known/oauth-authorization-server"])
    expect((await plain.ask("GET", path)).status).toBe(404);
  expect((await plain.ask("POST", "/oauth/token")).status).toBe(404);
});
