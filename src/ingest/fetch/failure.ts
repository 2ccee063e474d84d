import { ApiError } from "../../domain/errors.ts";

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
