import { ApiError } from "../domain/errors.ts";
import type { Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import { findDocument } from "./find-document.ts";

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
