import { type DocumentRecord, type Principal, waitingFields } from "../domain/records.ts";
import { hashText } from "./index/analyzed-text.ts";
import { type Labels, relabelDocument } from "./index/publication.ts";
import { newDocument, publishUnlessStored, sourceFields } from "./new-document.ts";
import { provisionalName } from "./prepare/source.ts";
import type { Waiting } from "./queue/backlog.ts";
import type { Ingested, IngestPlan } from "./request.ts";
import type { IngestWork } from "./work.ts";

/** Stores a document as `pending` and puts it into the queue. @throws ApiError; the signal's reason */
export const ingestLater = async (
  work: IngestWork,
  principal: Principal,
  plan: IngestPlan,
  signal: AbortSignal,
): Promise<Ingested> => {
  const { request, existing } = plan;
  const { source } = request;
  signal.throwIfAborted();
  if (source.kind === "text") work.pipeline.checkText(source.text);
  if (existing !== null) {
    const replaced = await replaceLater(work, principal, plan, existing);
    if (replaced !== null) return replaced;
  }
  if (!request.upsert || request.externalId !== null) return await add(work, principal, plan);
  if (source.kind !== "text" && source.kind !== "file") return await add(work, principal, plan);
  const content = source.kind === "text" ? { textHash: hashText(source.text) } : source;
  return await publishUnlessStored(work, principal, plan, content, () => add(work, principal, plan));
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

/** A text is passed on as it is; a file or address is read in its turn. */
const toWaiting = (document: DocumentRecord, text: string | null): Waiting => ({
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
    work.ingest.enqueue(toWaiting(document, text));
    return { document, text, unchanged: false, takesFile: request.source.kind === "file" };
  });

/**
 * Has a stored document processed again from another source. Its present text is found until the new one is published.
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
        // The name found at an address stays.
        name: request.name ?? (comesFromSameAddress(existing, plan) ? undefined : nameOf(plan)),
        metadata: request.metadata,
        partitionId: choice.kind === "unnamed" ? undefined : partitionId,
      };
      const fields: Partial<DocumentRecord> = {
        ...sourceFields(request.source, request.mimeType),
        ...waitingFields,
        updatedAt: Date.now(),
        progress: { pages: 0, chunks: 0, embedded: 0 },
      };
      // In one step: a crash leaves the old document or the new one, not the new name over the old text.
      const more = { fields, ...(text === null ? {} : { pendingText: text }) };
      const document = await relabelDocument(work, principal, existing, labels, more);
      if (document === null) return null;
      ingest.notify(document.id, document);
      ingest.enqueue(toWaiting(document, text));
      return { document, text, unchanged: false, takesFile: request.source.kind === "file" };
    }),
  );
};
