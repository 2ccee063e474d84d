import { type Static, Type } from "@sinclair/typebox";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Config } from "../../config/schema.ts";
import { ApiError, rateLimited } from "../domain/errors.ts";
import type { Role } from "../domain/records.ts";
import { networkOf, pathPrefixOf } from "../domain/web-address.ts";
import { authorize } from "../http/access.ts";
import { bodyPace, readBytes } from "../http/body/arriving-body.ts";
import { parseForm, parseJson } from "../http/body/parse-body.ts";
import { refuseCompressed } from "../http/body/read-body.ts";
import { type Frame, frameOf } from "../http/frame.ts";
import { escapeHtml } from "../http/html-page.ts";
import { routeOptions } from "../http/path-lookup.ts";
import type { Extension } from "../http/router.ts";
import { choiceField, idField, nullable } from "../http/schema/fields.ts";
import { textField } from "../http/schema/text-field.ts";
import { createValidator } from "../http/schema/validate.ts";
import { isGranted } from "../keys/keys.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { type LoadPageFiles, pageResponse, pathOf } from "../web/page-files.ts";
import { createOAuthClients, hasRedirect, type OAuthClient, OAuthFailure, signedName } from "./clients.ts";
import { createGrants, mayGrant, type Tokens } from "./grants.ts";

const maxBodyBytes = 64 * 1024;
/** What one address may ask of this in a minute: registrations and documents of clients, and tokens. */
const limits = { clients: 30, tokens: 120 };

const scopes = ["read", "write"] as const;
const scopeOf = (role: Role): string => (role === "reader" ? "read" : "read write");

/** What a client asks for at `/oauth/authorize`. */
const asked = Type.Object({
  response_type: textField({ maxLength: 100 }),
  client_id: textField({ maxLength: 5_000 }),
  redirect_uri: textField({ maxLength: 1_000 }),
  state: Type.Optional(textField({ maxLength: 2_000 })),
  scope: Type.Optional(textField({ maxLength: 500 })),
  resource: Type.Optional(textField({ maxLength: 1_000 })),
  code_challenge: Type.Optional(textField({ maxLength: 200 })),
  code_challenge_method: Type.Optional(textField({ maxLength: 20 })),
});
type Asked = Static<typeof asked>;

/** What the user decided on the page. */
const decision = Type.Object({
  query: textField({ maxLength: 16_000, description: "The query string of the page." }),
  isAllowed: Type.Boolean(),
  role: Type.Optional(choiceField(["reader", "writer"] as const, { description: "What the client may do." })),
  partitionId: Type.Optional(nullable(idField("The only partition that it sees."))),
});

/** Where the resource's metadata are, as `WWW-Authenticate` names it. */
export const oauthChallenge = ({ baseUrl }: Pick<Frame, "baseUrl">): string =>
  `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp", scope="read"`;

interface OAuthDependencies {
  config: Config;
  store: Store;
  log: Logger;
  /** Scripts and styles of the page where a user decides. */
  pageFiles: LoadPageFiles;
}

/**
 * OAuth 2.1 for MCP clients that take no key (`mcp.oauth`): metadata, registration, consent and tokens. Its errors have
 * OAuth's shape, but for those of a user's own decision.
 */
export const createOAuthRoutes = (deps: OAuthDependencies): Extension => {
  const { config, store, pageFiles } = deps;
  const issuer = config.server.baseUrl ?? "";
  const resource = `${issuer}/mcp`;
  const prefix = pathPrefixOf(config.server.baseUrl);
  const clients = createOAuthClients(config, store.secret);
  const grants = createGrants(deps);
  const readAsked = createValidator(asked);
  const readDecision = createValidator(decision);
  const perMinute = (points: number) => new RateLimiterMemory({ points, duration: 60 });
  const rates = { clients: perMinute(limits.clients), tokens: perMinute(limits.tokens) };

  const countFor = async (kind: keyof typeof rates, { clientAddress }: Frame): Promise<void> => {
    const { consumedPoints, msBeforeNext } = await rates[kind].penalty(networkOf(clientAddress));
    if (consumedPoints > limits[kind]) throw rateLimited("Too many requests came from your address.", msBeforeNext);
  };

  const protectedResource = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    resource_name: "Carrel",
  };
  const authorizationServer = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: scopes,
  };

  /**
   * The request of a client, and the client. Whoever is not known, or asks to be answered elsewhere, is told so on a page.
   * @throws ApiError invalid_request, rate_limited
   */
  const readRequest = async (query: string, frame: Frame): Promise<{ asked: Asked; client: OAuthClient }> => {
    const fields = parseForm(query, "invalid_request");
    if (new Set(fields.map(([name]) => name)).size < fields.length)
      throw new ApiError("invalid_request", "A field of the request is there twice.");
    const request = readAsked(Object.fromEntries(fields));
    if (clients.isFetched(request.client_id)) await countFor("clients", frame);
    const client = await clients.find(request.client_id, frame.signal);
    if (client === null)
      throw new ApiError(
        "invalid_request",
        "The program that sent you here is not known: connect it again from there.",
      );
    if (!hasRedirect(client, request.redirect_uri))
      throw new ApiError(
        "invalid_request",
        `${client.name} did not register the address that it wants to be answered at.`,
      );
    return { asked: request, client };
  };

  /** Where the user goes on, with what the client is told. */
  const backTo = ({ redirect_uri, state }: Asked, said: Record<string, string>): string => {
    const url = new URL(redirect_uri);
    for (const [name, value] of Object.entries({ ...said, ...(state === undefined ? {} : { state }), iss: issuer }))
      url.searchParams.set(name, value);
    return url.href;
  };

  const refusalOf = (request: Asked): OAuthFailure | null => {
    if (request.response_type !== "code")
      return new OAuthFailure("unsupported_response_type", "response_type must be code.");
    if (request.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(request.code_challenge ?? ""))
      return new OAuthFailure("invalid_request", "PKCE is needed: code_challenge with code_challenge_method S256.");
    return refusedResource(request.resource);
  };

  const refusedResource = (named: string | undefined): OAuthFailure | null =>
    named === undefined || named === "" || named.replace(/\/$/, "") === resource || named.replace(/\/$/, "") === issuer
      ? null
      : new OAuthFailure("invalid_target", `resource must be ${resource}.`);

  const showConsent = async (frame: Frame): Promise<Response> => {
    const files = await pageFiles();
    let request: Awaited<ReturnType<typeof readRequest>>;
    try {
      request = await readRequest(frame.search, frame);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      return pageResponse({
        title: "Cannot connect",
        styles: [pathOf(files, "console.css", prefix)],
        scripts: [],
        status: 400,
        body: `<main class="sign-in"><h1>Cannot connect</h1><p>${escapeHtml(error.message)}</p></main>`,
      });
    }
    const refusal = refusalOf(request.asked);
    if (refusal !== null) return redirect(backTo(request.asked, errorFields(refusal)));
    const { name, host } = request.client;
    const about = {
      name,
      host,
      answeredAt: new URL(request.asked.redirect_uri).host,
      mayWrite: (request.asked.scope ?? "").split(" ").includes("write"),
    };
    return pageResponse({
      title: "Let a program in",
      styles: [pathOf(files, "console.css", prefix)],
      scripts: [pathOf(files, "authorize.js", prefix)],
      body: `<div id="authorize" data-about="${escapeHtml(JSON.stringify(about))}"></div>
<noscript><main class="sign-in"><h1>Carrel</h1><p>This page needs JavaScript.</p></main></noscript>`,
    });
  };

  /** The user's decision, made by the session that the page signed in to, or by a key. */
  const decide = async (request: Request, frame: Frame): Promise<Response> => {
    // A session's cookie counts on paths of the API; this one is the page's own.
    const operation = { access: "reader", method: "POST" } as const;
    const principal = authorize(operation, { headers: request.headers, path: "/api/oauth" }, store, null);
    frame.principal = principal;
    const body = readDecision(parseJson(await textOf(request, frame)));
    const { asked: sent, client } = await readRequest(body.query, frame);
    const denial = body.isAllowed ? null : new OAuthFailure("access_denied", "The user did not allow it.");
    const refusal = refusalOf(sent) ?? denial;
    if (refusal !== null) return Response.json({ redirect: backTo(sent, errorFields(refusal)) });
    const keyId = principal?.keyId ?? null;
    // What was itself granted grants nothing.
    if (principal === null || keyId === null || (await isGranted(store, principal, keyId)))
      throw new ApiError("role_forbidden", "Only a key that was issued to you can let a program in.");
    const partitionId = body.partitionId ?? principal.partitionId;
    const wanted = { role: body.role ?? ("reader" as const), partitionId };
    if (!mayGrant(principal, wanted))
      throw new ApiError("role_forbidden", `Your key has role ${principal.role}: a program cannot be allowed more.`);
    if (partitionId !== null && (await store.partitions.get(principal, partitionId)) === null)
      throw new ApiError("partition_not_found", "There is no such partition.");
    const code = grants.issueCode({
      client,
      grantor: { ...principal, keyId },
      ...wanted,
      redirectUri: sent.redirect_uri,
      challenge: sent.code_challenge ?? "",
    });
    return Response.json({ redirect: backTo(sent, { code }) });
  };

  const token = async (request: Request, frame: Frame): Promise<Response> => {
    await countFor("tokens", frame);
    const form = Object.fromEntries(parseForm(await textOf(request, frame)));
    const from = { address: frame.clientAddress, requestId: frame.requestId };
    const field = (name: string): string => {
      const value = form[name];
      if (value === undefined || value === "") throw new OAuthFailure("invalid_request", `${name} is missing.`);
      return value;
    };
    const grantType = field("grant_type");
    const refused = refusedResource(form.resource);
    if (refused !== null) throw refused;
    const clientId = form.client_id || (signedName(form.client_assertion) ?? field("client_id"));
    if (grantType === "refresh_token")
      return tokensJson(await grants.refresh({ refreshToken: field("refresh_token"), clientId }, from));
    if (grantType !== "authorization_code")
      throw new OAuthFailure("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
    const sent = {
      code: field("code"),
      clientId,
      redirectUri: field("redirect_uri"),
      verifier: field("code_verifier"),
    };
    return tokensJson(await grants.redeem(sent, from));
  };

  const register = async (request: Request, frame: Frame): Promise<Response> => {
    await countFor("clients", frame);
    let metadata: unknown;
    try {
      metadata = parseJson(await textOf(request, frame));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "malformed_body") throw error;
      throw new OAuthFailure("invalid_client_metadata", error.message);
    }
    const client = clients.register(metadata);
    const registered = {
      client_id: client.id,
      client_id_issued_at: Math.floor(Date.now() / 1_000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
    return Response.json(registered, { status: 201, headers: noStore });
  };

  // A proxy may pass on the whole host: there the prefix stands behind the well-known part.
  const documents = new Map<string, object>();
  for (const suffix of new Set(["", "/mcp", `${prefix}/mcp`]))
    documents.set(`/.well-known/oauth-protected-resource${suffix}`, protectedResource);
  for (const suffix of new Set(["", "/mcp", prefix]))
    documents.set(`/.well-known/oauth-authorization-server${suffix}`, authorizationServer);

  const pages: Record<string, (request: Request, frame: Frame) => Promise<Response>> = {
    "/oauth/authorize": (_, frame) => showConsent(frame),
    ...Object.fromEntries([...documents].map(([path, document]) => [path, async () => Response.json(document)])),
  };
  const posts: Record<string, (request: Request, frame: Frame) => Promise<Response>> = {
    "/oauth/authorize": decide,
    "/oauth/token": token,
    "/oauth/register": register,
  };

  return {
    paths: Object.keys(pages),
    posts: Object.keys(posts),
    ofWriter: true,
    mount(app) {
      for (const [method, routes] of [
        ["GET", pages],
        ["POST", posts],
      ] as const)
        for (const [path, answer] of Object.entries(routes))
          app.route(method, path, ({ request }) => answered(answer, request), routeOptions);
    },
  };
};

const answered = async (
  answer: (request: Request, frame: Frame) => Promise<Response>,
  request: Request,
): Promise<Response> => {
  try {
    return await answer(request, frameOf(request));
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error;
    return Response.json(errorFields(error), { status: 400, headers: noStore });
  }
};

const noStore = { "cache-control": "no-store" };

const errorFields = ({ code, message }: OAuthFailure) => ({ error: code, error_description: message });

const tokensJson = ({ accessToken, expiresInSeconds, refreshToken, role }: Tokens): Response =>
  Response.json(
    {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      scope: scopeOf(role),
    },
    { headers: noStore },
  );

const redirect = (location: string): Response => new Response(null, { status: 302, headers: { location, ...noStore } });

const textOf = async (request: Request, frame: Frame): Promise<string> => {
  refuseCompressed(request);
  frame.keepOpen();
  const bytes = await readBytes(request, { maxBytes: maxBodyBytes, pace: bodyPace, held: frame.held });
  return new TextDecoder().decode(bytes);
};
