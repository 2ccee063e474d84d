import type { Principal } from "../../domain/principal.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { hashText } from "../../ingest/index/analyzed-text.ts";
import { choosePartition, type PartitionChoice } from "../partition-choice.ts";
import { ingestLater } from "./ingest-later.ts";
import { ingestNow } from "./ingest-now.ts";
import type { IngestRequest } from "./ingest-request.ts";
import type { IngestWork } from "./ingest-work.ts";
import { keepUnchanged } from "./keep-unchanged.ts";

/** A document as an ingest leaves it. */
export interface Ingested {
  document: DocumentRecord;
  /** Null where it still waits to be read. */
  text: string | null;
  unchanged: boolean;
  /** The document names the uploaded file from now on; else the file is still whose it was. */
  takesFile: boolean;
}

/** What an ingest goes on with, once it is clear where the document goes and whether there is one already. */
export interface IngestPlan {
  request: IngestRequest;
  choice: PartitionChoice;
  /** The document that `upsert` replaces. */
  existing: DocumentRecord | null;
}

/**
 * `now`: answered when it is found, and somebody waits for that; `bulk`: the same, but in no hurry; `later`: answered
 * when it is stored.
 */
export type IngestMode = "now" | "bulk" | "later";

/**
 * Ingests a document. What fails leaves nothing behind. Upserts of one `externalId` are done one after another.
 * @throws ApiError, ProviderError, the signal's reason
 */
export const ingestDocument = async (
  work: IngestWork,
  principal: Principal,
  request: IngestRequest,
  mode: IngestMode,
  signal: AbortSignal,
): Promise<Ingested> => {
  const choice = await choosePartition(work.store, principal, request);
  const ingest = (plan: IngestPlan): Promise<Ingested> =>
    mode === "later"
      ? ingestLater(work, principal, plan, signal)
      : ingestNow(work, principal, plan, mode === "now" ? "interactive" : "background", signal);
  const { externalId } = request;
  if (externalId === null) return await ingest({ request, choice, existing: null });
  return await work.store.documents.withExternalId(principal, externalId, async () => {
    signal.throwIfAborted();
    const existing = await work.store.documents.getByExternalId(principal, externalId);
    const plan = { request, choice, existing };
    if (existing !== null && comesWithSameContent(existing, request)) {
      const kept = await keepUnchanged(work, principal, existing, plan);
      if (kept !== null) return kept;
    }
    return await ingest(plan);
  });
};

/** Told without reading a file: the same text, or the same bytes declared to be of the same type. */
const comesWithSameContent = (existing: DocumentRecord, { source }: IngestRequest): boolean => {
  if (existing.status !== "processed") return false;
  if (source.kind === "text") return existing.textHash === hashText(source.text);
  return (
    source.kind === "file" &&
    existing.sourceKind === "file" &&
    existing.blobHash === source.blobHash &&
    existing.declaredMimeType === source.declaredMimeType
  );
};
