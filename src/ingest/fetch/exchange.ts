import type { IncomingMessage } from "node:http";
import http from "node:http";
import https from "node:https";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { parse as parseDisposition } from "content-disposition";
import { parse as parseContentType } from "content-type";
import { ApiError } from "../../domain/errors.ts";
import { version } from "../../domain/version.ts";
import type { ResolvedAddress } from "./address.ts";
import { AnsweredStatusError, type FetchedFile, type FetchRequest, fetchFailed, shown } from "./contract.ts";

/** For `Accept-Encoding`: what `readBody` decompresses. */
const acceptedEncodings = "gzip, deflate, br";

const maxEncodings = 2;

/**
 * The body of a response, decompressed. Stops at once when more than `maxBytes` arrived or were decompressed, so that
 * neither an endless body nor a decompression bomb fills the memory.
 * @throws ApiError 413 `document_too_large`, 422 `fetch_failed` for an unknown encoding
 */
const readBody = (response: IncomingMessage, url: URL, maxBytes: number): Promise<Uint8Array> => {
  const tooLarge = () =>
    new ApiError(
      "document_too_large",
      `${shown(url)} is larger than ${maxBytes} bytes. Raise fetch.maxBytes to take it.`,
    );
  const declared = Number(response.headers["content-length"] ?? "0");
  if (declared > maxBytes) return Promise.reject(tooLarge());
  const encodings = (response.headers["content-encoding"] ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity")
    .reverse();
  if (encodings.length > maxEncodings) return Promise.reject(fetchFailed(url, "too many content encodings"));

  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let held = 0;
    const stages: Transform[] = [];
    const fail = (error: unknown) => {
      reject(error);
      response.destroy();
      for (const stage of stages) stage.destroy();
    };
    const finish = () => resolve(new Uint8Array(Buffer.concat(chunks)));
    const keep = (chunk: Uint8Array) => {
      held += chunk.length;
      if (held > maxBytes) fail(tooLarge());
      else chunks.push(chunk);
    };
    const start = (first: Uint8Array | null) => {
      for (const name of encodings) {
        const stage = decompressor(name, first);
        if (stage === null) return fail(fetchFailed(url, `content encoding "${name.slice(0, 20)}" is not known`));
        stages.push(stage);
      }
      stages.forEach((stage, index) => {
        stage.on("error", fail);
        const next = stages[index + 1];
        if (next) stage.pipe(next);
        else stage.on("data", keep).on("end", finish);
      });
    };

    let arrived = 0;
    let hasStarted = false;
    response.on("data", (chunk: Uint8Array) => {
      if (!hasStarted) {
        hasStarted = true;
        start(chunk);
      }
      arrived += chunk.length;
      if (arrived > maxBytes) return fail(tooLarge());
      const first = stages[0];
      if (!first) return keep(chunk);
      if (!first.destroyed && !first.write(chunk)) {
        response.pause();
        first.once("drain", () => response.resume());
      }
    });
    response.on("end", () => (stages[0] ? stages[0].end() : finish()));
    response.on("aborted", () => fail(fetchFailed(url, "the connection was cut off")));
    response.on("error", fail);
  });
};

const decompressor = (name: string, first: Uint8Array | null): Transform | null => {
  if (name === "gzip" || name === "x-gzip") return createGunzip();
  if (name === "br") return createBrotliDecompress();
  // RFC 9110 8.4.1.2: some servers send "deflate" without the zlib wrapper, whose first byte always ends in 8.
  if (name === "deflate") return ((first?.[0] ?? 8) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  return null;
};

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
