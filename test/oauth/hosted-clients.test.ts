import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { freePort } from "../free-port.ts";
import { serve } from "../serve.ts";
import { startTestServer } from "../start-server.ts";

/**
 * claude.ai and ChatGPT run on servers of their makers, so what they send is sent here: by what their documentation says and
 * what operators of MCP servers saw in 2026. Neither was tried itself.
 */

/** Serves the documents by which they name themselves, each at its path. */
const documents = new Map<string, object>();
const hosts = serve(({ url }) => Response.json(documents.get(new URL(url).pathname) ?? {}));
const port = await freePort();
const server = await startTestServer({
  server: { port, baseUrl: `http://127.0.0.1:${port}` },
  mcp: { oauth: true },
  fetch: { allowPrivateAddresses: true },
});
await server.post("/api/ingest", { name: "Boiler", text: "The boiler is serviced every March." });

const verifier = "v".repeat(64);
const challenge = createHash("sha256").update(verifier).digest("base64url");

const documentAt = (path: string, about: object): string => {
  const id = `http://127.0.0.1:${hosts.port}${path}`;
  documents.set(path, {
    ...{ client_id: id, grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] },
    ...about,
  });
  return id;
};

const claudeRedirect = "https://claude.ai/api/mcp/auth_callback";
const chatGptRedirect = "https://chatgpt.com/connector/oauth/kDmjx77UnKOM";
/** As it is served at chatgpt.com: it would rather sign, and can do without. */
const chatGptDocument = {
  client_name: "ChatGPT",
  client_uri: "https://chatgpt.com/",
  redirect_uris: [chatGptRedirect],
  token_endpoint_auth_method: "private_key_jwt",
  token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
  token_endpoint_auth_signing_alg: "RS256",
  jwks_uri: "https://chatgpt.com/oauth/jwks.json",
};
const assertionOf = (client: string): Record<string, string> => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: `${part({ alg: "RS256", kid: "1" })}.${part({ iss: client, sub: client })}.c2lnbmVk`,
  };
};

interface Hosted {
  name: string;
  redirect: string;
  /** What it sends beside what every client sends. */
  asks: Record<string, string>;
  /** How it names itself when it fetches tokens. */
  names: (client: string) => Record<string, string>;
  identify(): Promise<string>;
}

const byId = (client: string) => ({ client_id: client });
const register = async (metadata: object): Promise<string> => {
  const { status, body } = await server.ask("POST", "/oauth/register", { key: null, json: metadata });
  expect([status, body.token_endpoint_auth_method, body.client_secret]).toEqual([201, "none", undefined]);
  return body.client_id;
};
const claudeRegistration = {
  client_name: "Claude",
  redirect_uris: [claudeRedirect],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "client_secret_post",
  scope: "claudeai",
};

const hosted: Hosted[] = [
  {
    name: "claude.ai by its document",
    redirect: claudeRedirect,
    asks: { scope: "read" },
    names: byId,
    identify: async () =>
      documentAt("/oauth/mcp-oauth-client-metadata", {
        ...{ client_name: "Claude", client_uri: "https://claude.ai", redirect_uris: [claudeRedirect] },
        token_endpoint_auth_method: "none",
      }),
  },
  {
    name: "claude.ai by registration, which it does twice",
    redirect: claudeRedirect,
    asks: { scope: "claudeai" },
    names: byId,
    async identify() {
      await register(claudeRegistration);
      return register(claudeRegistration);
    },
  },
  {
    name: "ChatGPT by its document",
    redirect: chatGptRedirect,
    asks: { scope: "openid email offline_access profile", ui_locales: "en-US" },
    names: byId,
    identify: async () => documentAt("/oauth/kDmjx77UnKOM/client.json", chatGptDocument),
  },
  {
    name: "ChatGPT, named by what it signs",
    redirect: chatGptRedirect,
    asks: { scope: "read write" },
    names: assertionOf,
    identify: async () => documentAt("/oauth/kDmjx77UnKOM/client.json", chatGptDocument),
  },
];

test.each(hosted)("$name gets in, refreshes and reads", async ({ redirect, asks, names, identify }) => {
  const client = await identify();
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: client, redirect_uri: redirect, state: "state_1-2" },
    ...{ code_challenge: challenge, code_challenge_method: "S256", resource: `${server.url}/mcp` },
    ...asks,
  }).toString();
  expect((await server.ask("GET", `/oauth/authorize?${query}`, { key: null })).status).toBe(200);
  const { body: decided } = await server.ask("POST", "/oauth/authorize", { json: { query, isAllowed: true } });
  const back = new URL(decided.redirect);
  expect([back.origin + back.pathname, back.searchParams.get("state"), back.searchParams.get("iss")]).toEqual([
    redirect,
    "state_1-2",
    server.url,
  ]);
  const token = async (fields: Record<string, string>) => {
    const sent = new URLSearchParams({ ...fields, ...names(client), resource: `${server.url}/mcp` });
    const { status, body } = await server.ask("POST", "/oauth/token", { key: null, body: sent });
    expect([status, body.token_type]).toEqual([200, "Bearer"]);
    return body as { access_token: string; refresh_token: string };
  };
  const first = await token({
    ...{ grant_type: "authorization_code", code: back.searchParams.get("code") ?? "" },
    ...{ redirect_uri: redirect, code_verifier: verifier },
  });
  const { access_token: key } = await token({ grant_type: "refresh_token", refresh_token: first.refresh_token });

  const ask = async (method: string, params: object) => {
    const { status, text } = await server.ask("POST", "/mcp", {
      key,
      json: { jsonrpc: "2.0", id: 1, method, params },
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    });
    expect(status).toBe(200);
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
  };
  const about = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "hosted", version: "1" } };
  expect((await ask("initialize", about)).protocolVersion).toBe("2025-11-25");
  const { tools } = await ask("tools/list", {});
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(["search", "fetch", "ask", "list_documents"]);
  // One text that holds JSON, with these fields: ChatGPT's own tools `search` and `fetch` have that form.
  const read = async (name: string, args: object) => {
    const { content } = await ask("tools/call", { name, arguments: args });
    expect(content).toEqual([{ type: "text", text: expect.any(String) }]);
    return JSON.parse(content[0].text);
  };
  const { id, title, url } = (await read("search", { query: "boiler" })).results[0];
  expect([title, url]).toEqual(["Boiler", expect.stringMatching(/^http/)]);
  expect(await read("fetch", { id })).toMatchObject({
    id: id.replace("#0", ""),
    ...{ title: "Boiler", text: "The boiler is serviced every March.", url: expect.stringMatching(/^http/) },
    metadata: expect.any(Object),
  });
});

test("what they look for first: both choose the document only where it and `none` are told", async () => {
  const found = async (path: string) => server.ask("GET", path, { key: null, headers: { accept: "*/*" } });
  const { body } = await found("/.well-known/oauth-authorization-server");
  expect(body).toMatchObject({
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: ["none"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    registration_endpoint: `${server.url}/oauth/register`,
  });
  const resource = await found("/.well-known/oauth-protected-resource/mcp");
  expect(resource.body.resource).toBe(`${server.url}/mcp`);
  // Not there, rather than behind a key: they go on to the document above.
  expect((await found("/.well-known/openid-configuration")).status).toBe(404);
});

test("a signed name is no more than a name", async () => {
  const client = documentAt("/oauth/kDmjx77UnKOM/client.json", chatGptDocument);
  const fields = { grant_type: "refresh_token", refresh_token: "x" };
  const errorOf = async (more: Record<string, string>) =>
    (await server.ask("POST", "/oauth/token", { key: null, body: new URLSearchParams({ ...fields, ...more }) })).body
      .error;
  expect(await errorOf(assertionOf(client))).toBe("invalid_grant");
  for (const assertion of ["", "x", "a.b.c", `a.${Buffer.from("[]").toString("base64url")}.c`])
    expect(await errorOf({ ...assertionOf(client), client_assertion: assertion })).toBe("invalid_request");
});
