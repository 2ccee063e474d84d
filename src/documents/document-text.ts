import { ApiError } from "../domain/errors.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import { readAnswerText, type TextCount } from "./answer-texts.ts";
import { findDocument } from "./document-records.ts";

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
export const readTextOf = async (
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
