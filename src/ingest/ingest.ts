import type { DocumentRecord, Principal } from "../domain/records.ts";
import type { Usage } from "../limits/quotas.ts";
import { hashText, type Urgency } from "./index/analyzed-text.ts";
import { ingestLater } from "./later.ts";
import { keepUnchanged } from "./new-document.ts";
import { ingestNow } from "./now.ts";
import { choosePartition } from "./partition-choice.ts";
import type { Ingested, IngestPlan, IngestRequest } from "./request.ts";
import type { IngestWork } from "./work.ts";

/** `now`: returns when searches find the document. `later`: returns when it is stored and queued. */
type IngestMode = "now" | "later";

/**
 * Ingests a document. A failed ingest leaves nothing behind. Upserts of one `externalId` run one after another.
 * @param urgency of an ingest `now`
 * @throws ApiError (quota_reached too), ProviderError, the signal's reason
 */
export const ingestDocument = async (
  work: IngestWork,
  principal: Principal,
  request: IngestRequest,
  mode: IngestMode,
  signal: AbortSignal,
  urgency: Urgency = "interactive",
): Promise<Ingested> => {
  const choice = await choosePartition(work.store, principal, request);
  const ingest = (plan: IngestPlan): Promise<Ingested> => ingestWithin(work, principal, plan, mode, urgency, signal);
  const { externalId } = request;
  if (externalId === null) return await ingest({ request, choice, existing: null });
  return await work.store.documents.withExternalId(principal, externalId, async () => {
    signal.throwIfAborted();
    const existing = await work.store.documents.getByExternalId(principal, externalId);
    const plan = { request, choice, existing };
    if (existing !== null && hasSameContent(existing, request)) {
      const kept = await keepUnchanged(work, principal, existing, plan);
      if (kept !== null) return kept;
    }
    return await ingest(plan);
  });
};

/** Known without reading a file: the same text, or the same bytes declared with the same type. */
const hasSameContent = (existing: DocumentRecord, { source }: IngestRequest): boolean => {
  if (existing.status !== "processed") return false;
  if (source.kind === "text") return existing.textHash === hashText(source.text);
  return (
    source.kind === "file" &&
    existing.sourceKind === "file" &&
    existing.blobHash === source.blobHash &&
    existing.declaredMimeType === source.declaredMimeType
  );
};

export const textAmount = (text: string): Usage => ({ documents: 1, bytes: Buffer.byteLength(text) });

/** Ingests if there is room for the document. @throws ApiError quota_reached, and what the ingest throws */
const ingestWithin = async (
  work: IngestWork,
  principal: Principal,
  plan: IngestPlan,
  mode: IngestMode,
  urgency: Urgency,
  signal: AbortSignal,
): Promise<Ingested> => {
  const { settle } = await work.quotas.reserve(principal, await amountOf(work, principal, plan));
  let isStored = false;
  try {
    const ingested =
      mode === "later"
        ? await ingestLater(work, principal, plan, signal)
        : await ingestNow(work, principal, plan, urgency, signal);
    isStored = !ingested.unchanged && plan.existing === null;
    return ingested;
  } finally {
    settle(isStored);
  }
};

/** What the source adds, as far as it is known before it is read. */
const amountOf = async (
  { store }: IngestWork,
  { keyId }: Principal,
  { request: { source }, existing }: IngestPlan,
): Promise<Usage> => {
  const documents = existing === null ? 1 : 0;
  // Callers on the operator's socket have no limits.
  if (keyId === null) return { documents, bytes: 0 };
  if (source.kind === "text") return { documents, bytes: Buffer.byteLength(source.text) };
  if (source.kind === "file") return { documents, bytes: (await store.blobs.size(source.blobHash)) ?? 0 };
  return { documents, bytes: 0 };
};
