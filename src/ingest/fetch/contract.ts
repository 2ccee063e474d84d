import { ApiError } from "../../domain/errors.ts";

export type HeadersFor = (url: URL) => Record<string, string>;

export interface FetchRequest {
  signal: AbortSignal;
  /** `Accept` header; anything unless given. */
  accept?: string;
  /** The request field that held the address, for error messages; "url" unless given. */
  field?: string;
  /** Headers of an earlier answer: with either of them, `isNotModified` tells that the page is unchanged. */
  known?: { etag: string | null; lastModified: string | null };
  /** Further headers for a request, also for one that a redirect leads to: what is secret is for one host alone. */
  headersFor?: HeadersFor | undefined;
  /** Called before each request, also before one that a redirect leads to. @throws to refuse it */
  checkHop?(url: URL): Promise<void>;
}

export interface FetchedFile {
  /** Decompressed; empty when `isNotModified`. */
  bytes: Uint8Array;
  /** After redirects. */
  finalUrl: string;
  /** Lower case, without parameters; null where the server declared nothing useful. */
  mimeType: string | null;
  /** From `Content-Type`, lower case. */
  charset: string | null;
  /** From `Content-Disposition` or the path. */
  fileName: string | null;
  etag: string | null;
  lastModified: string | null;
  /** The server answered 304 to `known`. */
  isNotModified: boolean;
}

/**
 * Fetches one http(s) address.
 * @throws ApiError 400 `invalid_request` (not a URL), 400 `address_refused`, 413 `document_too_large`,
 *   422 `fetch_failed`, 504 `fetch_timeout`; the signal's reason when it fired
 */
export type FetchUrl = (url: string, request: FetchRequest) => Promise<FetchedFile>;

/** Reasons for the caller, by the error codes of Node, Bun and OpenSSL. */
const causes: [RegExp, string][] = [
  [/ENOTFOUND|ENODATA|EAI_|ENONAME|EBADNAME/, "no such host"],
  [/ECONNREFUSED|ConnectionRefused/, "the connection was refused"],
  [/ECONNRESET|ConnectionClosed|EPIPE|socket hang up|ECONNABORTED/, "the connection was cut off"],
  [/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/, "the host cannot be reached"],
  [/ETIMEDOUT|ConnectionTimeout/, "the host does not answer"],
  [/CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL|EPROTO/, "the TLS certificate or handshake was not accepted"],
  [/Z_|ERR_ZLIB|ERR__ERROR_FORMAT|ERR_BROTLI|zlib|[Bb]rotli/, "the body's compression is broken"],
  [/HPE_|Malformed|InvalidHTTP|Parse Error/, "the answer is not HTTP"],
];

/** 422 `fetch_failed`, with a reason of our own: the library's message is not shown. */
export const fetchFailure = (url: URL, cause: unknown): ApiError => {
  if (cause instanceof ApiError) return cause;
  const code = cause instanceof Error ? `${"code" in cause ? cause.code : ""} ${cause.message}` : "";
  const reason = causes.find(([pattern]) => pattern.test(code))?.[1] ?? "the request failed";
  return fetchFailed(url, reason, cause);
};

export const fetchFailed = (url: URL, reason: string, cause?: unknown): ApiError =>
  new ApiError("fetch_failed", `${shown(url)} could not be fetched: ${reason}.`, { cause });

/** 422 `fetch_failed`: the server answered with a status that is no success. */
export class AnsweredStatusError extends ApiError {
  readonly answered: number;

  constructor(url: URL, answered: number) {
    super("fetch_failed", `${shown(url)} could not be fetched: the server answered ${answered}.`);
    this.answered = answered;
  }
}

/** An address as it may be shown: no credentials, no query string (either may hold a secret). */
export const shown = (url: URL): string => `${url.protocol}//${url.host}${url.pathname}`.slice(0, 300);
