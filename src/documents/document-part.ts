import { ApiError, invalidField } from "../domain/errors.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import { readAnswerText, type TextCount } from "./answer-texts.ts";
import { findDocument } from "./document-records.ts";

/** A long text is handed out in parts of at most this many UTF-16 code units. */
const maxPartCharacters = 40_000;

/** A part of a document's text. The next one begins where it ends, so that all of them are the whole text. */
interface DocumentPart {
  document: DocumentRecord;
  text: string;
  start: number;
  /** Where the next part begins; null where this is the last one. */
  next: number | null;
  /** Page of the document at its start; null where it has none. */
  page: number | null;
}

/**
 * The text of a document from an offset on, in UTF-16 code units: up to the end of a paragraph where there is one in the
 * second half of what fits. No surrogate pair is split.
 * @throws ApiError document_not_found; document_busy where it has no text yet; invalid_request for an offset beyond its
 *   end; overloaded
 */
export const readDocumentPart = async (
  store: Pick<Store, "documents" | "openSnippets">,
  tenant: Tenant,
  { id, offset }: { id: string; offset: number },
  held: TextCount,
): Promise<DocumentPart> => {
  const document = await findDocument(store, tenant, id);
  const text = await readTextOf(store, document, held);
  if (offset > 0 && offset >= text.length)
    throw invalidField("id", `begins after the end of the text, which has ${text.length} characters`);
  const start = splitsPair(text, offset) ? offset - 1 : offset;
  const end = endOfPart(text, start);
  const page = await pageAt(store, tenant, document, start);
  return { document, text: text.slice(start, end), start, next: end < text.length ? end : null, page };
};

const endOfPart = (text: string, start: number): number => {
  const most = start + maxPartCharacters;
  if (most >= text.length) return text.length;
  const paragraph = text.lastIndexOf("\n\n", most - 2);
  if (paragraph + 2 > start + maxPartCharacters / 2) return paragraph + 2;
  return splitsPair(text, most) ? most - 1 : most;
};

/** Whether the two halves of one character lie on both sides of the place. */
const splitsPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;

/** The page of the last snippet that begins at the place or before it: snippets know pages, the text alone does not. */
const pageAt = async (
  { openSnippets }: Pick<Store, "openSnippets">,
  tenant: Tenant,
  { id }: DocumentRecord,
  offset: number,
): Promise<number | null> => {
  const view = openSnippets();
  const at = async (position: number) => (await view.neighbors(tenant, id, position, position))[0] ?? null;
  try {
    let last = await at(0);
    if (last === null || last.page === null || offset === 0) return last?.page ?? null;
    const { snippets } = await view.count(tenant, { documentId: id, partitionId: null, metadata: null });
    let low = 1;
    let high = snippets - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = await at(middle);
      if (found !== null && found.start <= offset) {
        last = found;
        low = middle + 1;
      } else high = middle - 1;
    }
    return last.page;
  } finally {
    view.close();
  }
};

/**
 * The extracted text of a document.
 * @throws ApiError document_not_found; document_busy where it has no text yet; overloaded
 */
export const readDocumentText = async (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  id: string,
  held: TextCount,
): Promise<string> => {
  return await readTextOf(store, await findDocument(store, tenant, id), held);
};

/** The same of a record that is at hand. @throws ApiError document_busy, overloaded */
const readTextOf = async (
  store: Pick<Store, "documents">,
  document: DocumentRecord,
  held: TextCount,
): Promise<string> => {
  const text = await readAnswerText(store, document, held);
  if (text === null) throw new ApiError("document_busy", `The document has no text: it is ${document.status}.`);
  return text;
};

/** The file that a document was made from, unchanged. */
interface OriginalFile {
  stream: ReadableStream<Uint8Array>;
  bytes: number;
  name: string;
  /** As its content showed, or as its sender declared it. */
  mimeType: string | null;
}

/** @throws ApiError document_not_found; file_not_found for a document that came as text or from a page */
export const openOriginalFile = async (
  store: Pick<Store, "documents" | "blobs">,
  tenant: Tenant,
  id: string,
): Promise<OriginalFile> => {
  const { name, blobHash, mimeType, declaredMimeType } = await findDocument(store, tenant, id);
  const blob = blobHash === null ? null : await store.blobs.open(blobHash);
  if (blob === null) {
    throw new ApiError("file_not_found", "No original file is kept of this document. Its text is at /text.");
  }
  return { stream: blob.stream, bytes: blob.bytes, name, mimeType: mimeType ?? declaredMimeType };
};
