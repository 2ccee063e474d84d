import { isoTime } from "../http/fields.ts";
import type { DocumentRecord } from "../store/records.ts";

export interface DocumentJsonOptions {
  /** Address under which clients reach the server, without a trailing slash. */
  baseUrl: string;
  /** Text of the document; null where it is not to be shown. */
  text: string | null;
}

/** A document as the API shows it. */
export const documentJson = (document: DocumentRecord, { baseUrl, text }: DocumentJsonOptions) => ({
  id: document.id,
  createdAt: isoTime(document.createdAt),
  updatedAt: isoTime(document.updatedAt),
  originalUrl: document.sourceKind === "file" ? `${baseUrl}/api/document/${document.id}/file` : document.originalUrl,
  parsedUrl: `${baseUrl}/api/document/${document.id}/text`,
  originalText: text,
  name: document.name,
  addedByUserId: document.addedByUserId,
  organizationId: document.organizationId,
  mimeType: document.mimeType,
  tokens: document.tokens,
  status: document.status,
  error: document.error,
  warnings: document.warnings,
  progress: document.progress,
  partitionId: document.partitionId,
  metadata: document.metadata,
});
