/** The parts of a `Content-Type`; null for a part that is missing or malformed. */
export const readContentType = (header: string | undefined): { mimeType: string | null; charset: string | null } => {
  const [type = "", ...parameters] = (header ?? "").split(";");
  const mimeType = type.trim().toLowerCase();
  const charset = parameters
    .map((parameter) => parameter.split("="))
    .find(([name = "", value = ""]) => name.trim().toLowerCase() === "charset" && value.trim() !== "")?.[1]
    ?.trim()
    .replace(/^"|"$/g, "")
    .trim();
  return {
    mimeType: /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : null,
    charset: charset?.toLowerCase() || null,
  };
};

/** Types that servers send for files of unknown type. */
const unknownTypes = new Set(["application/octet-stream", "binary/octet-stream", "application/x-download"]);
const textExtension = /\.(md|markdown|csv|tsv|json|ya?ml|xml|html?|eml)$/i;

/**
 * The type that a server declared, or null where it tells nothing: `application/octet-stream`, and `text/plain` where
 * the name is that of another kind of text (raw file hosts declare every text as plain).
 */
export const usefulMimeType = (mimeType: string | null, fileName: string | null): string | null => {
  if (mimeType === null || unknownTypes.has(mimeType)) return null;
  return mimeType === "text/plain" && fileName !== null && textExtension.test(fileName) ? null : mimeType;
};

/** The file's name: `Content-Disposition` (RFC 6266, `filename*` first), else the last part of the path, else null. */
export const readFileName = (disposition: string | undefined, url: URL): string | null => {
  const header = disposition ?? "";
  const extended = /filename\*\s*=\s*(?:utf-8|iso-8859-1)''([^;\s]+)/i.exec(header)?.[1];
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header);
  const stated = extended ? percentDecoded(extended) : (plain?.[1]?.replace(/\\(.)/g, "$1") ?? plain?.[2]);
  const name = stated ?? percentDecoded(url.pathname.split("/").at(-1) ?? "");
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
