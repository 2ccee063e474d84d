import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { ApiError, invalidField } from "../../domain/errors.ts";
import { version } from "../../domain/version.ts";
import { isPublicAddress, literalAddress } from "./address.ts";
import { AnsweredStatusError, fetchFailed, fetchFailure, shown } from "./failure.ts";
import { acceptedEncodings, readBody } from "./read-body.ts";
import { readContentType, readFileName, usefulMimeType } from "./response-headers.ts";

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export interface FetcherOptions {
  /** Also take addresses of this machine and of private networks. */
  allowPrivateAddresses: boolean;
  /** Most bytes of a body, before and after decompression. */
  maxBytes: number;
  /** Longest time for one `fetchUrl`, redirects and body included. */
  timeoutMs: number;
  /** Name to addresses; the system's resolver unless given. */
  resolve?: (hostname: string) => Promise<ResolvedAddress[]>;
  /** Which addresses count as public; `isPublicAddress` unless given. */
  isAllowedAddress?: (address: string) => boolean;
}

export interface FetchRequest {
  signal: AbortSignal;
  /** `Accept` header; anything unless given. */
  accept?: string;
  /** The request field that held the address, for error messages; "url" unless given. */
  field?: string;
  /** What an earlier answer said of itself: with either, an unchanged page is answered with `notModified`. */
  known?: { etag: string | null; lastModified: string | null };
  /** Asked before each request, also before one that a redirect leads to. @throws to refuse it */
  checkHop?(url: URL): Promise<void>;
}

export interface FetchedFile {
  /** Decompressed; empty when `notModified`. */
  bytes: Uint8Array;
  /** After redirects. */
  finalUrl: string;
  /** Lower case, without parameters; null where the server said nothing useful. */
  mimeType: string | null;
  /** From `Content-Type`, lower case. */
  charset: string | null;
  /** From `Content-Disposition` or the path. */
  fileName: string | null;
  etag: string | null;
  lastModified: string | null;
  /** The far side answered 304 to `known`. */
  notModified: boolean;
}

/**
 * Fetches one http(s) address.
 * @throws ApiError 400 `invalid_request` (no such URL), 400 `address_refused`, 413 `document_too_large`,
 *   422 `fetch_failed`, 504 `fetch_timeout`; the signal's reason when it fired
 */
export type FetchUrl = (url: string, request: FetchRequest) => Promise<FetchedFile>;

const maxRedirects = 5;
const maxUrlLength = 8_192;

/**
 * A fetcher that cannot be led to places its operator did not open: each hop's name is resolved once, every address
 * checked, and the connection made to an address that was checked, never to what a second look-up might say.
 */
export function createFetcher(options: FetcherOptions): FetchUrl {
  const resolve = options.resolve ?? systemResolve;
  const isAllowed = (address: string) =>
    options.allowPrivateAddresses || (options.isAllowedAddress ?? isPublicAddress)(address);

  async function checkedAddresses(url: URL): Promise<ResolvedAddress[]> {
    const literal = literalAddress(url.hostname);
    const found: ResolvedAddress[] = literal
      ? [{ address: literal, family: literal.includes(":") ? 6 : 4 }]
      : await resolve(url.hostname.replace(/\.$/, ""));
    if (found.length === 0) throw fetchFailed(url, "no such host");
    if (!found.every(({ address }) => isAllowed(address))) {
      throw new ApiError(
        "address_refused",
        `${shown(url)} leads to an address of this machine or of a private network. ` +
          "Set fetch.allowPrivateAddresses to true to allow such addresses.",
      );
    }
    return found;
  }

  async function follow(start: URL, request: FetchRequest, signal: AbortSignal): Promise<FetchedFile> {
    let url = start;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const hopUrl = url;
      await request.checkHop?.(hopUrl);
      const addresses = await unlessAborted(checkedAddresses(hopUrl), signal).catch((cause) => {
        throw signal.aborted ? cause : fetchFailure(hopUrl, cause);
      });
      const response = await open(hopUrl, addresses, requestHeaders(request), signal);
      try {
        const location = redirectTarget(response, hopUrl);
        if (location === null) return await receive(response, hopUrl, options.maxBytes);
        url = location;
      } finally {
        response.destroy();
      }
    }
    throw fetchFailed(start, `more than ${maxRedirects} redirects`);
  }

  return async (text, request) => {
    const url = readUrl(text, request.field ?? "url");
    request.signal.throwIfAborted();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), options.timeoutMs);
    const signal = AbortSignal.any([request.signal, limit.signal]);
    try {
      return await unlessAborted(follow(url, request, signal), signal);
    } catch (cause) {
      request.signal.throwIfAborted();
      if (limit.signal.aborted) {
        throw new ApiError("fetch_timeout", `${shown(url)} took longer than ${options.timeoutMs} ms to fetch.`);
      }
      throw fetchFailure(url, cause);
    } finally {
      clearTimeout(timer);
    }
  };
}

function readUrl(text: string, field: string): URL {
  const url = text.length <= maxUrlLength && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === "") throw invalidField(field, "must be a whole address, such as https://…");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalidField(field, "must begin with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") throw invalidField(field, "must not hold a user name or password");
  return url;
}

/** Where a 3xx points to; null for an answer that is the end of the way. */
function redirectTarget(response: http.IncomingMessage, url: URL): URL | null {
  const { statusCode = 0 } = response;
  const location = response.headers.location;
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return null;
  if (location.length > maxUrlLength || !URL.canParse(location, url.href))
    throw fetchFailed(url, "its redirect is broken");
  const target = new URL(location, url);
  if (target.protocol !== "http:" && target.protocol !== "https:") {
    throw fetchFailed(url, "it redirects to something other than http or https");
  }
  if (target.username !== "" || target.password !== "") {
    throw fetchFailed(url, "it redirects to an address with a user name");
  }
  return target;
}

async function receive(response: http.IncomingMessage, url: URL, maxBytes: number): Promise<FetchedFile> {
  const { statusCode = 0, headers } = response;
  const notModified = statusCode === 304;
  if (!notModified && (statusCode < 200 || statusCode > 299)) {
    throw new AnsweredStatusError(url, statusCode);
  }
  const { mimeType, charset } = readContentType(headers["content-type"]);
  const fileName = readFileName(headers["content-disposition"], url);
  return {
    bytes: notModified ? new Uint8Array() : await readBody(response, url, maxBytes),
    finalUrl: url.href,
    mimeType: usefulMimeType(mimeType, fileName),
    charset,
    fileName,
    etag: headers.etag ?? null,
    lastModified: headers["last-modified"] ?? null,
    notModified,
  };
}

function requestHeaders(request: FetchRequest): Record<string, string> {
  return {
    "User-Agent": `Carrel/${version}`,
    Accept: request.accept ?? "*/*",
    "Accept-Encoding": acceptedEncodings,
    ...(request.known?.etag ? { "If-None-Match": request.known.etag } : {}),
    ...(request.known?.lastModified ? { "If-Modified-Since": request.known.lastModified } : {}),
  };
}

/** One request, connected to the given addresses whatever the name resolves to by now. */
function open(
  url: URL,
  addresses: ResolvedAddress[],
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const outgoing = request(url, {
      headers,
      agent: false,
      signal,
      lookup: (_hostname, lookupOptions, callback) => {
        const [first] = addresses;
        if (lookupOptions.all || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
    });
    outgoing.on("error", reject);
    outgoing.on("response", resolve);
    outgoing.end();
  });
}

const systemResolve = async (hostname: string): Promise<ResolvedAddress[]> =>
  (await dns.promises.lookup(hostname, { all: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** A look-up cannot be called off; what it says after the signal fired is not waited for. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
