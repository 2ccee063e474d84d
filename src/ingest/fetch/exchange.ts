import http from "node:http";
import https from "node:https";
import { version } from "../../domain/version.ts";
import type { FetchedFile, FetchRequest } from "./contract.ts";
import { AnsweredStatusError, fetchFailed } from "./failure.ts";
import { acceptedEncodings, readBody } from "./read-body.ts";
import type { ResolvedAddress } from "./resolve.ts";
import { readContentType, readFileName, usefulMimeType } from "./response-headers.ts";

/** A server sends one or two before its answer (103 Early Hints). Without end they took all time of the server's thread. */
const maxInterimAnswers = 20;

/** Sends one request, connected to the given addresses even if the name resolves to others by now. */
export const sendRequest = (
  url: URL,
  addresses: ResolvedAddress[],
  fetchRequest: FetchRequest,
  signal: AbortSignal,
): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const outgoing = request(url, {
      headers: { ...requestHeaders(fetchRequest), ...fetchRequest.headersFor?.(url) },
      agent: false,
      signal,
      lookup: (_hostname, lookupOptions, callback) => {
        const [first] = addresses;
        if (lookupOptions.all || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
    });
    let interimAnswers = 0;
    outgoing.on("information", () => {
      interimAnswers += 1;
      if (interimAnswers > maxInterimAnswers) outgoing.destroy(fetchFailed(url, "it sends interim answers (1xx) only"));
    });
    outgoing.on("error", reject);
    outgoing.on("response", resolve);
    outgoing.end();
  });

const requestHeaders = ({ accept, known }: FetchRequest): Record<string, string> => ({
  "User-Agent": `Carrel/${version}`,
  Accept: accept ?? "*/*",
  "Accept-Encoding": acceptedEncodings,
  ...(known?.etag ? { "If-None-Match": known.etag } : {}),
  ...(known?.lastModified ? { "If-Modified-Since": known.lastModified } : {}),
});

/** Reads a final answer. @throws ApiError fetch_failed for a status that is no success; document_too_large */
export const readAnswer = async (response: http.IncomingMessage, url: URL, maxBytes: number): Promise<FetchedFile> => {
  const { statusCode = 0, headers } = response;
  const isNotModified = statusCode === 304;
  if (!isNotModified && (statusCode < 200 || statusCode > 299)) throw new AnsweredStatusError(url, statusCode);
  const { mimeType, charset } = readContentType(headers["content-type"]);
  const fileName = readFileName(headers["content-disposition"], url);
  return {
    bytes: isNotModified ? new Uint8Array() : await readBody(response, url, maxBytes),
    finalUrl: url.href,
    mimeType: usefulMimeType(mimeType, fileName),
    charset,
    fileName,
    etag: headers.etag ?? null,
    lastModified: headers["last-modified"] ?? null,
    isNotModified,
  };
};
