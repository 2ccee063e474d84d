import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import type { Config } from "../../config/schema.ts";
import { createSigner } from "../domain/signature.ts";
import { literalAddress } from "../ingest/fetch/address.ts";
import { createFetcher } from "../ingest/fetch/fetcher.ts";
import { shownText } from "../text/clean-text.ts";
import { isJsonObject } from "../text/json-object.ts";

/** A program that asks for access. */
export interface OAuthClient {
  id: string;
  /** As it calls itself: nobody has checked it. */
  name: string;
  redirectUris: readonly string[];
  /** Host of its metadata document, which is checked; null for one that registered itself. */
  host: string | null;
}

const maxRedirects = 10;
const maxUriCharacters = 500;
const maxNameCharacters = 80;
/** Of all addresses together: the id of a client holds them. */
const maxRegistrationCharacters = 2_000;
const document = { maxBytes: 64 * 1024, timeoutMs: 5_000, keptMs: 300_000, failureKeptMs: 30_000, kept: 200 };

/** Finds clients by their ids, and makes ids. Nothing is stored: an id holds what a client registered, signed. */
interface OAuthClients {
  /** @param metadata body of a registration @throws OAuthFailure invalid_redirect_uri, invalid_client_metadata */
  register(metadata: unknown): OAuthClient;
  /** Whether looking for this client fetches a document. */
  isFetched(id: string): boolean;
  /** Null for an id that nobody registered, and for a document that cannot be had or says something else. */
  find(id: string, signal: AbortSignal): Promise<OAuthClient | null>;
}

export const createOAuthClients = ({ fetch }: Pick<Config, "fetch">, secret: Uint8Array): OAuthClients => {
  const fetchUrl = createFetcher({ ...fetch, maxBytes: document.maxBytes, timeoutMs: document.timeoutMs });
  const documents = new LRUCache<string, { client: OAuthClient | null }>({ max: document.kept });
  const { sign, isSigned } = createSigner(secret, "oauth client");

  const registered = (id: string): OAuthClient | null => {
    const [, payload = "", signature = ""] = /^crc_([\w-]{1,4000})\.([\w-]{43})$/.exec(id) ?? [];
    if (payload === "" || !isSigned(payload, signature)) return null;
    const [name, redirectUris] = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as [string, string[]];
    return { id, name, redirectUris, host: null };
  };

  const isFetched = (id: string): boolean => documentUrl(id, fetch.allowPrivateAddresses) !== null;

  const fetched = async (id: string, signal: AbortSignal): Promise<OAuthClient | null> => {
    const { bytes } = await fetchUrl(id, {
      signal,
      accept: "application/json",
      async checkHop(url) {
        if (url.href !== new URL(id).href) throw new Error("a client's document is not looked for elsewhere");
      },
    });
    const found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Record<string, unknown>;
    if (found.client_id !== id) return null;
    const { name, redirectUris } = readMetadata(found);
    return { id, name, redirectUris, host: new URL(id).host };
  };

  return {
    isFetched,
    register(metadata) {
      const { name, redirectUris } = readMetadata(metadata);
      const payload = Buffer.from(JSON.stringify([name, redirectUris])).toString("base64url");
      return { id: `crc_${payload}.${sign(payload)}`, name, redirectUris, host: null };
    },
    async find(id, signal) {
      if (!isFetched(id)) return registered(id);
      const known = documents.get(id);
      if (known !== undefined) return known.client;
      const client = await fetched(id, signal).catch(() => {
        signal.throwIfAborted();
        return null;
      });
      documents.set(id, { client }, { ttl: client === null ? document.failureKeptMs : document.keptMs });
      return client;
    },
  };
};

/** The address of a client's metadata document; null for an id that is none. Plain HTTP only on this machine, for tests. */
const documentUrl = (id: string, allowPrivateAddresses: boolean): URL | null => {
  if (!/^https?:\/\//.test(id) || id.length > 2_000) return null;
  const url = URL.parse(id);
  if (url === null || url.pathname === "/" || url.hash !== "" || url.username !== "" || url.password !== "")
    return null;
  const isSafe = url.protocol === "https:" || (allowPrivateAddresses && isLoopback(url.hostname));
  return isSafe && url.href === id ? url : null;
};

const readMetadata = (metadata: unknown): { name: string; redirectUris: string[] } => {
  const { redirect_uris: uris, client_name: name } = isJsonObject(metadata) ? metadata : {};
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirects)
    throw new OAuthFailure("invalid_redirect_uri", `redirect_uris must name 1 to ${maxRedirects} addresses.`);
  const wrong = uris.find((uri) => typeof uri !== "string" || !isRedirect(uri));
  if (wrong !== undefined)
    throw new OAuthFailure(
      "invalid_redirect_uri",
      "Each of redirect_uris must be https, or http on this machine, without fragment.",
    );
  if (name !== undefined && typeof name !== "string")
    throw new OAuthFailure("invalid_client_metadata", "client_name must be text.");
  const redirectUris = uris as string[];
  if (redirectUris.join("").length > maxRegistrationCharacters)
    throw new OAuthFailure("invalid_client_metadata", "redirect_uris are too long.");
  const shown = shownText(name ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const short = [...shown].slice(0, maxNameCharacters).join("");
  return { name: short === "" ? new URL(redirectUris[0] ?? "").host : short, redirectUris };
};

/** Where a code may be sent: https, or a program on the user's own machine. */
const isRedirect = (uri: string): boolean => {
  const url = uri.length > maxUriCharacters || uri.includes("#") ? null : URL.parse(uri);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
};

/** Whether a client registered this address. On the user's own machine any port counts: programs take a free one. */
export const hasRedirect = ({ redirectUris }: OAuthClient, uri: string): boolean =>
  isRedirect(uri) && redirectUris.some((known) => withoutPort(known) === withoutPort(uri));

/** @param uri where a code may be sent: plain HTTP is the user's own machine */
const withoutPort = (uri: string): string => {
  const url = new URL(uri);
  if (url.protocol !== "http:") return uri;
  url.port = "";
  return url.href;
};

/**
 * How a client names itself that signs instead of sending `client_id`, as ChatGPT does elsewhere; null where it does not.
 * The signature is not looked at, since no client is known by more than its name: what lets it in is the code, its verifier
 * and where the code was sent.
 */
export const signedName = (assertion: string | undefined): string | null => {
  try {
    const claims: unknown = JSON.parse(Buffer.from(assertion?.split(".")[1] ?? "", "base64url").toString("utf8"));
    return isJsonObject(claims) && typeof claims.sub === "string" ? claims.sub : null;
  } catch {
    return null;
  }
};

/** @param hostname of a URL */
const isLoopback = (hostname: string): boolean => {
  const address = literalAddress(hostname);
  return hostname === "localhost" || (address !== null && ipaddr.process(address).range() === "loopback");
};

/** What OAuth calls a failure. */
type OAuthError =
  | "invalid_request"
  | "invalid_grant"
  | "invalid_client"
  | "invalid_target"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** A failure that is answered in OAuth's own shape, not as a problem document; the message is its description. */
export class OAuthFailure extends Error {
  override readonly name = "OAuthFailure";
  constructor(
    readonly code: OAuthError,
    description: string,
  ) {
    super(description);
  }
}
