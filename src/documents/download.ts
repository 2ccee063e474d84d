import { ApiError } from "../domain/errors.ts";
import type { Tenant } from "../domain/records.ts";
import { textResponse } from "../http/respond.ts";
import type { Store } from "../store/contract.ts";
import { readAnswerText, type TextCount } from "./answer-texts.ts";
import { findDocument } from "./find-document.ts";

/**
 * `Content-Disposition` of a download (RFC 6266): the name in ASCII for old clients, and as it is (RFC 8187). Nothing
 * of the name can end the value or start another header.
 */
export const attachment = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%;/]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/** A type that may stand in a header: RFC 9110 tokens, without parameters. */
const isMimeType = (type: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type);

/**
 * The original bytes, as they came.
 * @throws ApiError document_not_found; file_not_found for a document that came as text or from a page
 */
export const downloadFile = async (store: Store, tenant: Tenant, id: string): Promise<Response> => {
  const document = await findDocument(store, tenant, id);
  const blob = document.blobHash === null ? null : await store.blobs.open(document.blobHash);
  if (blob === null) {
    throw new ApiError("file_not_found", "No original file is kept of this document. Its text is at /text.");
  }
  const type = document.mimeType ?? document.declaredMimeType;
  return new Response(blob.stream, {
    headers: {
      "content-type": type !== null && isMimeType(type) ? type : "application/octet-stream",
      "content-length": String(blob.bytes),
      "content-disposition": attachment(document.name),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    },
  });
};

/**
 * The extracted text.
 * @throws ApiError document_not_found; document_busy where there is none yet; overloaded
 */
export const downloadText = async (store: Store, tenant: Tenant, id: string, held: TextCount): Promise<Response> => {
  const document = await findDocument(store, tenant, id);
  const text = await readAnswerText(store, document, held);
  if (text === null) {
    throw new ApiError("document_busy", `The document has no text: it is ${document.status}.`);
  }
  return textResponse(text, {
    status: 200,
    headers: {
      "content-type": "text/markdown; charset=utf-8",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    },
  });
};
