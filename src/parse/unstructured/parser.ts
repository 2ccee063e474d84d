import { bulkhead } from "cockatiel";
import type { Config } from "../../../config/schema.ts";
import { type FileParser, type FileToParse, ProviderError } from "../../../providers/contract.ts";
import { createConfiguredOutbound } from "../../../providers/http/outbound.ts";
import { partition } from "../../../providers/unstructured/partition.ts";
import type { ApiError } from "../../domain/errors.ts";
import { noText, unreadable, unsupported } from "../blocks/failure.ts";
import { writeMarkdown } from "../blocks/write-markdown.ts";
import { decodeText } from "../containers/charset.ts";
import { contentOf } from "./content.ts";

/** Files that may wait; the ingest queue sends far fewer. */
const maxWaiting = 1_000;

/**
 * Reads files on an Unstructured server. The server continues after the caller has gone, so at most
 * `concurrency` files are sent at once.
 */
export const createUnstructuredParser = (
  settings: Config["parser"],
  baseUrl: string,
  concurrency: number,
): FileParser => {
  const outbound = createConfiguredOutbound("parser", settings, baseUrl, {
    server: { name: "Unstructured", start: "start it" },
  });
  const places = bulkhead(concurrency, maxWaiting);
  return {
    async parse(file, signal) {
      const elements = await places
        .execute(() => partition(outbound, toUpload(file), signal), signal)
        .catch((error: unknown) => {
          throw error instanceof ProviderError ? faultOfFile(error) : error;
        });
      const content = contentOf(elements);
      const { text, pages } = writeMarkdown(content.blocks);
      if (text.trim() === "")
        throw noText(
          "The Unstructured server found no text in the file. Pictures of text need a server that does OCR.",
        );
      const mimeType = mediaTypeIn(elements[0]?.metadata.filetype) ?? file.mimeType ?? "application/octet-stream";
      return { title: content.title, text, pages, mimeType, warnings: content.warnings };
    },
  };
};

/**
 * The media type that the server names, checked because it becomes a header of our responses; null if it is invalid.
 */
const mediaTypeIn = (text: string | null | undefined): string | null =>
  text && text.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(text) ? text : null;

/** Text is sent as UTF-8, because the server takes any other charset for a broken file. */
const toUpload = (file: FileToParse): { bytes: Uint8Array<ArrayBuffer>; name: string } => {
  const name = file.name ?? "file";
  const isText = !file.bytes.subarray(0, 4).some((byte) => byte === 0) || isWide(file.bytes);
  if (isText && /\.(txt|md|html?|csv|tsv|eml|xml|json|rst|org|rtf)$/i.test(name)) {
    const decoded = decodeText(file.bytes, null);
    if (decoded.isText) return { bytes: new TextEncoder().encode(decoded.text), name };
  }
  return { bytes: new Uint8Array(file.bytes), name };
};

const isWide = ([a, b]: Uint8Array): boolean => (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);

/** Errors that the server reports about the file itself are 415 or 422. */
const faultOfFile = (error: ProviderError): ApiError | ProviderError => {
  const says = (words: RegExp) => words.test(error.serverWords ?? "");
  if (error.status === 400 && says(/not supported|not available for image/i))
    return unsupported("Neither Carrel nor the Unstructured server can read files of this type.");
  if (says(/encrypted|password/i)) return unreadable("The file is locked with a password. Unlock it and try again.");
  if (error.status === 422 && says(/not a valid|does not appear to be/i))
    return unreadable("The file is cut off or broken.", error);
  if (error.status === 500 && says(/SpeechToText/))
    return unsupported("The Unstructured server does not turn speech into text.");
  if (error.status === 500 && says(/soffice/i))
    return unsupported("The Unstructured server needs LibreOffice to read this old format.");
  return error;
};
