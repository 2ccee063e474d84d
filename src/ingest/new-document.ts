import { type DocumentRecord, externalIdOf, type Principal } from "../domain/records.ts";
import type { Source } from "./prepare/source.ts";
import type { IngestRequest } from "./request.ts";

type SourceFields = Pick<
  DocumentRecord,
  "sourceKind" | "originalUrl" | "mimeType" | "declaredMimeType" | "blobHash" | "warnings"
>;

/** The fields of a record about its source, before that is read. A text has the type its sender declared, or plain. */
export const sourceFields = (source: Source, mimeType: string | null): SourceFields => ({
  sourceKind: source.kind,
  originalUrl: source.kind === "url" || source.kind === "website" ? source.url : null,
  mimeType: source.kind === "text" ? (mimeType ?? "text/plain") : null,
  declaredMimeType: source.kind === "url" || source.kind === "file" ? source.declaredMimeType : mimeType,
  blobHash: source.kind === "file" ? source.blobHash : null,
  warnings: [],
});

/** A new `pending` document, without text or partition. */
export const newDocument = (principal: Principal, request: IngestRequest, name: string): DocumentRecord => {
  const now = Date.now();
  return {
    id: request.documentId ?? Bun.randomUUIDv7(),
    organizationId: principal.organizationId,
    partitionId: null,
    name,
    addedByUserId: principal.userId,
    createdAt: now,
    updatedAt: now,
    ...sourceFields(request.source, request.mimeType),
    metadata: request.metadata,
    externalId: externalIdOf(request.metadata),
    tokens: null,
    status: "pending",
    error: null,
    errorReason: null,
    revision: null,
    textHash: null,
    attempts: 0,
    nextAttemptAt: null,
    begun: 0,
    progress: { pages: 0, chunks: 0, embedded: 0 },
  };
};
