import { parse as parseDisposition } from "content-disposition";
import { parse as parseContentType } from "content-type";

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
export const usefulMimeType = (mimeType: string | null, fileName: string | null): string | null => {
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
