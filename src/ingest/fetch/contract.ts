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
