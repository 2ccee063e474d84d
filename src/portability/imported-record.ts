import { type DocumentRecord, externalIdOf } from "../domain/records.ts";
import type { ExportedDocument } from "./format.ts";

const textIsLost = "Its text was missing in the export: ingest it again.";

/** The status of an imported document: one that has neither a text nor something to read it from is failed. */
const statusOf = (record: ExportedDocument): Pick<DocumentRecord, "status" | "error"> => {
  if (record.status !== "processed" || record.text !== null) return { status: record.status, error: record.error };
  const canBeRead = record.pendingText !== null || record.file !== null || record.originalUrl !== null;
  return canBeRead ? { status: "pending", error: null } : { status: "failed", error: textIsLost };
};

/** The record of a document of an export, with its whole texts, before it is processed here. */
export const importedRecord = (
  record: ExportedDocument,
  { id, organizationId, partitionId }: Pick<DocumentRecord, "id" | "organizationId" | "partitionId">,
): DocumentRecord => ({
  id,
  organizationId,
  partitionId,
  name: record.name,
  addedByUserId: record.addedByUserId,
  createdAt: Date.parse(record.createdAt),
  updatedAt: Date.parse(record.updatedAt),
  sourceKind: record.sourceKind,
  originalUrl: record.originalUrl,
  mimeType: record.mimeType,
  declaredMimeType: record.declaredMimeType,
  metadata: record.metadata,
  externalId: externalIdOf(record.metadata),
  tokens: record.tokens,
  ...statusOf(record),
  errorReason: record.errorReason,
  warnings: record.warnings,
  revision: null,
  textHash: null,
  blobHash: record.file,
  attempts: 0,
  nextAttemptAt: null,
  begun: 0,
  progress: { pages: 0, chunks: 0, embedded: 0 },
});
