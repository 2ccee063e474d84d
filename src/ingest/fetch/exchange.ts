import http from "node:http";
import https from "node:https";
import { parse as parseDisposition } from "content-disposition";
import { parse as parseContentType } from "content-type";
import { version } from "../../domain/version.ts";
import type { ResolvedAddress } from "./address.ts";
import { AnsweredStatusError, type FetchedFile, type FetchRequest, fetchFailed } from "./contract.ts";
import { acceptedEncodings, readBody } from "./read-body.ts";

/** Type and charset of a `Content-Type` header; null where the header does not name one. */
export const readContentType = (header: string | undefined): { mimeType: string | null; charset: string | null } => {
  const { type, parameters } = parseContentType(header ?? "");
  return {
    mimeType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : null,
    charset: parameters.charset?.trim().toLowerCase() || null,
  };
};

/** Types that servers send for files of unknown type. */
const unspecificTypes = new Set(["application/octet-stream", "binary/octet-stream", "application/x-download"]);
const textExtension = /\.(md|markdown|csv|tsv|json|ya?ml|xml|html?|eml)$/i;

/**
 * The declared type, unless it says nothing about the file: `application/octet-stream`, or `text/plain` where the name
 * has the extension of another text format (hosts of raw files declare every text as plain).
 */
const usefulMimeType = (mimeType: string | null, fileName: string | null): string | null => {
  if (mimeType === null || unspecificTypes.has(mimeType)) return null;
  return mimeType === "text/plain" && fileName !== null && textExtension.test(fileName) ? null : mimeType;
};

/** Name of a fetched file: from `Content-Disposition` (RFC 6266, `filename*` first), else the last part of the path. */
export const readFileName = (disposition: string | undefined, url: URL): string | null => {
  const name =
    parseDisposition(disposition ?? "").parameters.filename ?? percentDecoded(url.pathname.split("/").at(-1) ?? "");
  const safe = name
    .replace(/^.*[/\\]/, "")
    .replace(/\p{Cc}/gu, "")
    .toWellFormed()
    .trim();
  return safe === "" || safe === "." || safe === ".." ? null : [...safe].slice(0, 255).join("");
};

const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

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
