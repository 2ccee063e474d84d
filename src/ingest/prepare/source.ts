import {
  type FileParser,
  type FileProperties,
  filePropertyNames,
  type PageReached,
  type ParsedFile,
} from "../../../providers/contract.ts";
import { ApiError } from "../../domain/errors.ts";
import { type DocumentRecord, isScanned, type JsonObject } from "../../domain/records.ts";
import { fileKinds } from "../../parse/detect/file-kind.ts";
import type { BlobStore, DocumentStore } from "../../store/contract.ts";
import { shownText } from "../../text/clean-text.ts";
import type { FetchUrl } from "../fetch/contract.ts";

/** Where a document's text comes from. */
export type Source =
  | { kind: "text"; text: string }
  | { kind: "file"; blobHash: string; fileName: string | null; declaredMimeType: string | null }
  | { kind: "url"; url: string; declaredMimeType: string | null }
  /** `isScanned`: a scan found the page, so it is fetched under the rules for crawlers. */
  | { kind: "website"; url: string; isScanned?: boolean };

/** A document's text, from any source. */
export interface ReadText {
  text: string;
  pages: ParsedFile["pages"];
  /** From the content. */
  title: string | null;
  /** As the sender or the server named the file. */
  fileName: string | null;
  mimeType: string | null;
  warnings: string[];
  /** See `ParsedFile`. */
  properties?: FileProperties;
  /** The original bytes in the blob folder; null where none are kept. */
  blobHash: string | null;
  /** This reading stored the blob, which must be released unless a document takes it. */
  putsBlob: boolean;
}

interface ReadDependencies {
  blobs: BlobStore;
  fetchUrl: FetchUrl;
  /** For pages that a scan found; `fetchUrl` where left out. */
  fetchPage?: FetchUrl | undefined;
  parser: FileParser;
  maxDocumentBytes: number;
}

const websiteAccept = "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.5";

/**
 * Fetches and parses.
 * @param onPage called while a file with pages is read
 * @throws ApiError for faults of the address or the file; ProviderError for failures of the parser; the signal's reason
 */
export const readSource = async (
  { blobs, fetchUrl, fetchPage = fetchUrl, parser, maxDocumentBytes }: ReadDependencies,
  source: Source,
  signal: AbortSignal,
  onPage: (reached: PageReached) => void = () => {},
): Promise<ReadText> => {
  switch (source.kind) {
    case "text":
      return {
        text: checkedText(source.text, maxDocumentBytes),
        pages: [],
        title: null,
        fileName: null,
        mimeType: null,
        warnings: [],
        blobHash: null,
        putsBlob: false,
      };
    case "file": {
      const bytes = await blobs.read(source.blobHash);
      if (bytes === null) throw new ApiError("file_not_found", "The document's file is gone. Upload it again.");
      const file = { bytes, name: source.fileName, mimeType: source.declaredMimeType };
      const parsed = await parser.parse(file, signal, onPage);
      return {
        ...readFile(parsed, maxDocumentBytes),
        fileName: source.fileName,
        blobHash: source.blobHash,
        putsBlob: false,
      };
    }
    case "url":
    case "website": {
      const isPage = source.kind === "website";
      const fetch = source.kind === "website" && source.isScanned === true ? fetchPage : fetchUrl;
      const fetched = await fetch(source.url, {
        signal,
        field: isPage ? "websiteUrl" : "url",
        ...(isPage ? { accept: websiteAccept } : {}),
      });
      const declared = (isPage ? null : source.declaredMimeType) ?? fetched.mimeType;
      const { bytes, fileName, finalUrl, charset } = fetched;
      const file = { bytes, name: fileName, mimeType: declared, baseUrl: finalUrl, charset };
      const parsed = await parser.parse(file, signal, onPage);
      const read = readFile(parsed, maxDocumentBytes);
      signal.throwIfAborted();
      const blob = isPage ? null : await blobs.put(bytes, maxDocumentBytes);
      return { ...read, fileName, blobHash: blob?.hash ?? null, putsBlob: blob !== null };
    }
  }
};

/** The parsed text without characters that the store or a client cannot hold. Its length, and so page starts, stay. */
const readFile = (
  parsed: ParsedFile,
  maxDocumentBytes: number,
): Omit<ReadText, "fileName" | "blobHash" | "putsBlob"> => {
  const text = parsed.text.replaceAll("\0", " ").toWellFormed();
  if (text.trim() === "") throw new ApiError("no_text", "The file was read, but it holds no text.");
  return {
    text: checkedText(text, maxDocumentBytes),
    pages: parsed.pages,
    title: parsed.title,
    mimeType: parsed.mimeType,
    warnings: parsed.warnings,
    ...(parsed.properties === undefined ? {} : { properties: parsed.properties }),
  };
};

/** A document's metadata with what its file states of it, where nothing else is given under the same name. */
export const withProperties = (
  metadata: JsonObject | null,
  { properties }: Pick<ReadText, "properties">,
): JsonObject | null => (properties === undefined ? metadata : { ...properties, ...metadata });

/** Kinds of file that state who wrote them, and when. */
const stating: ReadonlySet<string> = new Set(
  (["markdown", "html", "pdf", "docx", "pptx", "xlsx", "odt", "ods", "odp", "epub"] as const).map(
    (kind) => fileKinds[kind],
  ),
);

/** The metadata that may be of the document's file, for changes that do not read it again. */
export const propertiesIn = ({ sourceKind, mimeType, metadata }: DocumentRecord): JsonObject =>
  sourceKind === "text" || !stating.has(mimeType ?? "")
    ? {}
    : Object.fromEntries(filePropertyNames.flatMap((name) => (metadata?.[name] ? [[name, metadata[name]]] : [])));

/** @returns the text @throws ApiError document_too_large */
export const checkedText = (text: string, maxDocumentBytes: number): string => {
  if (text.length <= maxDocumentBytes / 3 || Buffer.byteLength(text) <= maxDocumentBytes) return text;
  throw new ApiError(
    "document_too_large",
    `The document's text is longer than ${maxDocumentBytes} bytes. Split it, or raise ingest.maxDocumentBytes.`,
  );
};

/**
 * The source of a pending document.
 * @param text its text, where the caller has it already
 * @throws ApiError no_text where its text is not in the store
 */
export const storedSource = async (
  { documents }: { documents: Pick<DocumentStore, "getPendingText"> },
  record: DocumentRecord,
  text?: string,
): Promise<Source> => {
  if (text !== undefined) return { kind: "text", text };
  const { sourceKind, originalUrl, blobHash, declaredMimeType } = record;
  if (sourceKind === "website" && originalUrl !== null) {
    return { kind: "website", url: originalUrl, isScanned: isScanned(record) };
  }
  if (sourceKind === "url" && originalUrl !== null) return { kind: "url", url: originalUrl, declaredMimeType };
  if (sourceKind === "file" && blobHash !== null) {
    return { kind: "file", blobHash, fileName: record.name, declaredMimeType };
  }
  const pending = await documents.getPendingText(record);
  if (pending === null) throw new ApiError("no_text", "The document's text is gone. Ingest it again.");
  return { kind: "text", text: pending };
};

const maxCharacters = 255;
const unnamed = "Untitled";

/** A name as taken from a file or page: one line, without control characters, cut to 255 characters; null where nothing is left. */
const tidy = (name: string | null): string | null => {
  if (name === null) return null;
  const line = shownText(name).replace(/\s+/g, " ").trim();
  const cut = line.length <= maxCharacters ? line : [...line].slice(0, maxCharacters).join("").trimEnd();
  return cut === "" ? null : cut;
};

/** The last part of a client's file name: browsers and curl may send a path. */
export const baseName = (fileName: string | null): string | null =>
  tidy(fileName?.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? null);

const nameFromAddress = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return unnamed;
  const segment = url.pathname.split("/").findLast((part) => part !== "") ?? "";
  return tidy(decodedOrNull(segment)) ?? tidy(url.host) ?? unnamed;
};

const decodedOrNull = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

type Origin = Pick<DocumentRecord, "sourceKind" | "originalUrl">;

/** The name of a document that was sent without one, until its source is read. */
export const provisionalName = ({ originalUrl }: Origin, fileName: string | null): string =>
  baseName(fileName) ?? (originalUrl === null ? unnamed : nameFromAddress(originalUrl));

/** The name that a source states: the name of a file, the title of a page. */
export const nameOfSource = (origin: Origin, read: Pick<ReadText, "title" | "fileName">): string => {
  const title = tidy(read.title);
  const fileName = baseName(read.fileName);
  const own = origin.sourceKind === "website" ? (title ?? fileName) : (fileName ?? title);
  return own ?? provisionalName(origin, null);
};
