import { bulkhead } from "cockatiel";
import type { Config } from "../../../config/schema.ts";
import { type FileParser, type FileToParse, ProviderError } from "../../../providers/contract.ts";
import { createConfiguredOutbound } from "../../../providers/http/outbound.ts";
import { type Element, partition } from "../../../providers/unstructured/partition.ts";
import type { ApiError } from "../../domain/errors.ts";
import { type Block, type Content, noText, unreadable, unsupported } from "../blocks/blocks.ts";
import { tidyTitle } from "../blocks/tidy-text.ts";
import { writeMarkdown } from "../blocks/write-markdown.ts";
import { decodeText } from "../containers/charset.ts";
import { tableRows } from "../formats/html/blocks.ts";
import { descendants, readMarkup } from "../markup/markup.ts";

/** Tables with more HTML are kept as plain text. */
const maxTableHtmlCharacters = 4 * 1024 * 1024;

/** Elements of the page layout, not text of the document. */
const pageElements = new Set(["PageBreak", "PageNumber", "Header", "Footer", "UncategorizedHeader"]);

/**
 * Unstructured's elements as the blocks that every built-in parser gives, so that the same content comes out the same
 * from either parser: titles as headings by their depth, tables from their HTML, pages and sheets kept.
 */
export const contentOf = (elements: readonly Element[]): Content => {
  const blocks: Block[] = [];
  const first = elements[0]?.metadata;
  let page: number | null = null;
  let sheet: string | null = null;
  const outermost = outermostDepth(elements);
  if (first?.subject) blocks.push({ kind: "heading", level: 1, text: first.subject });
  for (const [label, people] of [["From", first?.sent_from] as const, ["To", first?.sent_to] as const])
    if (people && people.length > 0) blocks.push({ kind: "paragraph", text: `${label}: ${people.join(", ")}` });
  for (const { type, text, metadata } of elements) {
    if (pageElements.has(type)) continue;
    if (metadata.page_number != null && metadata.page_number !== page) {
      page = metadata.page_number;
      blocks.push({ kind: "page", page });
    }
    if (metadata.page_name && metadata.page_name !== sheet) {
      sheet = metadata.page_name;
      blocks.push({ kind: "heading", level: 2, text: sheet });
      if (type === "Title" && text.trim() === sheet.trim()) continue;
    }
    blocks.push(blockOf(type, text, metadata, outermost));
  }
  const title = elements.find(({ type }) => type === "Title")?.text;
  return { title: tidyTitle(first?.subject ?? title), blocks, warnings: [] };
};

/** The depth of the outermost list items: Unstructured counts from 1 in HTML, and from 0 in slides and documents. */
const outermostDepth = (elements: readonly Element[]): number =>
  elements.reduce(
    (least, { type, metadata }) => (type === "ListItem" ? Math.min(least, metadata.category_depth ?? least) : least),
    Number.POSITIVE_INFINITY,
  );

const blockOf = (type: string, text: string, metadata: Element["metadata"], outermost: number): Block => {
  const depth = metadata.category_depth ?? 0;
  switch (type) {
    case "Title":
      return { kind: "heading", level: depth + 1, text };
    case "ListItem":
      return { kind: "item", depth: Math.max(depth - outermost, 0), marker: "-", text };
    case "CodeSnippet":
      return { kind: "code", language: "", text };
    case "Table": {
      const html = metadata.text_as_html ?? "";
      const isRead = html !== "" && html.length <= maxTableHtmlCharacters;
      const [table] = isRead ? descendants(readMarkup(html, "html"), "table") : [];
      return table ? { kind: "table", rows: tableRows(table, null).rows } : { kind: "paragraph", text };
    }
    default:
      return { kind: "paragraph", text };
  }
};

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
