import type { PageReached } from "../../providers/contract.ts";
import type { DocumentRecord } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";

interface DocumentJsonOptions {
  /** Address under which clients reach the server, without a trailing slash. */
  baseUrl: string;
  /** Text of the document; null where it is not shown. */
  text: string | null;
  /** Whether it has the vectors of the configured model (`Embedder.haveVectors`). */
  isEmbedded: boolean;
  /** Whether the reader may see the message of a parser or model server. Left out: no. */
  seesReasons?: boolean;
  /**
   * How far its reading has come (`IngestQueue.stateOf`); null where nothing reads it. Left out: it was not looked up.
   */
  live?: LiveState | null;
}

/** How far a document is, newer than its record. */
interface LiveState extends Pick<DocumentRecord, "status" | "progress"> {
  reading?: PageReached | null;
}

/** Why a document failed, as this reader may see it. */
export const documentError = (
  { error, errorReason }: Pick<DocumentRecord, "error" | "errorReason">,
  seesReasons: boolean,
): string | null => {
  if (error === null || errorReason === null) return error;
  return seesReasons ? errorReason : `${error} The server's log has the reason under the document's id.`;
};

/** A document as the API shows it. */
export const documentJson = (
  document: DocumentRecord,
  { baseUrl, text, isEmbedded, seesReasons = false, live = null }: DocumentJsonOptions,
) => ({
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
  error: documentError(document, seesReasons),
  warnings: document.warnings,
  ...progressOf(document, live),
  embedded: isEmbedded,
  partitionId: document.partitionId,
  metadata: document.metadata,
});

/** The record says who is being processed; only then is what the work reports of that same work. */
const progressOf = (
  { status, progress }: DocumentRecord,
  live: LiveState | null,
): { progress: DocumentRecord["progress"]; reading: PageReached | null } =>
  status === "processing" && live?.status === "processing"
    ? { progress: live.progress, reading: live.reading ?? null }
    : { progress, reading: null };

/** What tells whether documents have the vectors of the configured model: see `Embedder`. */
export interface WithEmbedder {
  embedder: {
    haveVectors(documents: readonly Pick<DocumentRecord, "revision" | "status">[]): Promise<boolean[]>;
  };
}

/** `haveVectors` for one document. */
export const hasVectors = async (embedder: WithEmbedder["embedder"], document: DocumentRecord): Promise<boolean> =>
  (await embedder.haveVectors([document]))[0] === true;
