import type { Principal } from "../../domain/principal.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { hashText } from "../../ingest/index/analyzed-text.ts";
import { provisionalName } from "../../ingest/names.ts";
import type { Waiting } from "../../ingest/work/backlog.ts";
import type { Ingested, IngestPlan } from "./ingest.ts";
import { findByContent } from "./ingest-now.ts";
import type { IngestWork } from "./ingest-work.ts";
import { keepUnchanged, type Labels, relabel } from "./keep-unchanged.ts";
import { newDocument, sourceFields } from "./new-document.ts";

/** Stores a document that is to be processed and hands it to the queue. @throws ApiError; the signal's reason */
export const ingestLater = async (
  work: IngestWork,
  principal: Principal,
  plan: IngestPlan,
  signal: AbortSignal,
): Promise<Ingested> => {
  const { request, existing } = plan;
  const { source } = request;
  signal.throwIfAborted();
  if (source.kind === "text") work.ingest.pipeline.checkText(source.text);
  if (existing !== null) {
    const replaced = await replaceLater(work, principal, plan, existing);
    if (replaced !== null) return replaced;
  }
  if (!request.upsert || request.externalId !== null || source.kind !== "text") return await add(work, principal, plan);
  const textHash = hashText(source.text);
  return await work.contentLock(JSON.stringify([principal.organizationId, textHash]), async () => {
    const known = await findByContent(work, principal, plan, textHash);
    const kept = known === null ? null : await keepUnchanged(work, principal, known, plan);
    return kept ?? (await add(work, principal, plan));
  });
};

const nameOf = ({ request }: IngestPlan): string => {
  const { source, name } = request;
  const fileName = source.kind === "file" ? source.fileName : null;
  return name ?? provisionalName(sourceFields(source, request.mimeType), fileName);
};

const comesFromSameAddress = (existing: DocumentRecord, { request: { source } }: IngestPlan): boolean =>
  (source.kind === "url" || source.kind === "website") &&
  existing.sourceKind === source.kind &&
  existing.originalUrl === source.url &&
  existing.revision !== null;

const textOf = ({ request }: IngestPlan): string | null =>
  request.source.kind === "text" ? request.source.text : null;

/** Hands a text over as it is; a file or address is read in its turn. */
const waiting = (document: DocumentRecord, text: string | null): Waiting => ({
  id: document.id,
  organizationId: document.organizationId,
  ...(text === null ? {} : { accepted: { document, text } }),
});

const add = async (work: IngestWork, principal: Principal, plan: IngestPlan): Promise<Ingested> =>
  work.claims.withPartition(principal, plan.choice, async (partitionId) => {
    const { request } = plan;
    const document = { ...newDocument(principal, request, nameOf(plan)), partitionId };
    const text = textOf(plan);
    await work.store.documents.add(document, text);
    work.ingest.enqueue(waiting(document, text));
    return { document, text, unchanged: false, takesFile: request.source.kind === "file" };
  });

/**
 * Has a stored document processed anew from another source. What it holds now is found until the new text is there.
 * @returns null where it was removed meanwhile
 */
const replaceLater = async (
  work: IngestWork,
  principal: Principal,
  plan: IngestPlan,
  existing: DocumentRecord,
): Promise<Ingested | null> => {
  const { request, choice } = plan;
  const { ingest, claims } = work;
  return await claims.withPartition(principal, choice, async (partitionId) =>
    ingest.exclusively(principal, existing.id, async () => {
      const text = textOf(plan);
      const labels: Labels = {
        // What an address was found to be called stays its name.
        name: request.name ?? (comesFromSameAddress(existing, plan) ? undefined : nameOf(plan)),
        metadata: request.metadata,
        partitionId: choice.kind === "unnamed" ? undefined : partitionId,
      };
      const fields: Partial<DocumentRecord> = {
        ...sourceFields(request.source, request.mimeType),
        status: "pending",
        error: null,
        attempts: 0,
        nextAttemptAt: null,
        begun: 0,
        updatedAt: Date.now(),
        progress: { pages: 0, chunks: 0, embedded: 0 },
      };
      // In one step: a crash leaves the old document or the new one, not the new name over the old text.
      const more = { fields, ...(text === null ? {} : { pendingText: text }) };
      const document = await relabel(work, principal, existing, labels, more);
      if (document === null) return null;
      ingest.tell(document.id, document);
      ingest.enqueue(waiting(document, text));
      return { document, text, unchanged: false, takesFile: request.source.kind === "file" };
    }),
  );
};
