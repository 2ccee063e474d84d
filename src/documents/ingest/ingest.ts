import type { Principal } from "../../domain/principal.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { hashText } from "../../ingest/index/analyzed-text.ts";
import type { Urgency } from "../../ingest/scheduling.ts";
import { choosePartition } from "../partition-choice.ts";
import { ingestLater } from "./ingest-later.ts";
import { ingestNow } from "./ingest-now.ts";
import type { Ingested, IngestPlan } from "./ingest-plan.ts";
import type { IngestRequest } from "./ingest-request.ts";
import type { IngestWork } from "./ingest-work.ts";
import { keepUnchanged } from "./keep-unchanged.ts";
import { withinQuota } from "./within-quota.ts";

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
  const ingest = (plan: IngestPlan): Promise<Ingested> =>
    withinQuota(work, principal, plan, () =>
      mode === "later" ? ingestLater(work, principal, plan, signal) : ingestNow(work, principal, plan, urgency, signal),
    );
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
